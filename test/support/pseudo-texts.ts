import { cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react'

/**
 * The Unicode characters (UAX 9) before and after a part that is inserted into a text, such as a name. `accent` leaves
 * the enclosed part unchanged. The two characters also keep the letters of the part in order if the text around has
 * another direction.
 */
const [isolate, endOfIsolate] = ['\u2068', '\u2069']

const accents: Record<string, string> = {
  ...{
    a: 'âá',
    b: 'ƀ',
    c: 'ç',
    d: 'ð',
    e: 'êé',
    f: 'ƒ',
    g: 'ĝ',
    h: 'ĥ',
    i: 'îí',
    j: 'ĵ',
    k: 'ķ',
    l: 'ļ',
    m: 'ɱ',
  },
  ...{
    n: 'ñ',
    o: 'ôó',
    p: 'þ',
    q: 'ǫ',
    r: 'ŕ',
    s: 'š',
    t: 'ţ',
    u: 'ûú',
    v: 'ṽ',
    w: 'ŵ',
    x: 'ẋ',
    y: 'ýÿ',
    z: 'ž',
  },
  ...{
    A: 'ÂÁ',
    B: 'Ɓ',
    C: 'Ç',
    D: 'Ð',
    E: 'ÊÉ',
    F: 'Ƒ',
    G: 'Ĝ',
    H: 'Ĥ',
    I: 'ÎÍ',
    J: 'Ĵ',
    K: 'Ķ',
    L: 'Ļ',
    M: 'Ṁ',
  },
  ...{
    N: 'Ñ',
    O: 'ÔÓ',
    P: 'Þ',
    Q: 'Ǫ',
    R: 'Ŕ',
    S: 'Š',
    T: 'Ţ',
    U: 'ÛÚ',
    V: 'Ṽ',
    W: 'Ŵ',
    X: 'Ẋ',
    Y: 'ÝŸ',
    Z: 'Ž',
  },
}

/**
 * Accents a text, and doubles its vowels, which makes it about 40 % longer. Leaves inserted names and numbers as they
 * are.
 */
export function accent(text: string): string {
  let depth = 0
  let accented = ''
  for (const letter of text) {
    if (letter === isolate) depth++
    accented += depth > 0 ? letter : (accents[letter] ?? letter)
    if (letter === endOfIsolate) depth--
  }
  return accented
}

const wovenIn = (part: unknown): unknown =>
  typeof part === 'string'
    ? `${isolate}${part}${endOfIsolate}`
    : typeof part === 'function'
      ? (...given: unknown[]) => part(...given.map(accented))
      : part

/**
 * Accents a text of the catalogue. The text may be a string, a React element, a function that returns a text, or an
 * object that contains several texts.
 */
export function accented(text: unknown): unknown {
  if (typeof text === 'string') return accent(text)
  if (typeof text === 'function') return (...parts: unknown[]) => accented(text(...parts.map(wovenIn)))
  if (isValidElement(text)) {
    const { children } = (text as ReactElement<{ children: ReactNode[] }>).props
    return cloneElement(
      text,
      {},
      ...children.map(child => (typeof child === 'string' ? accent(child) : child)),
    )
  }
  if (typeof text !== 'object' || text === null) return text
  return Object.fromEntries(Object.entries(text).map(([key, each]) => [key, accented(each)]))
}
