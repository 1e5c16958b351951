import { getDomainWithoutSuffix, getPublicSuffix } from 'tldts'
import { readableName } from './names.ts'

/** Lower-case letters of other alphabets that look like Latin ones (from Unicode's confusables, UTS #39). */
const looksLike = new Map(
  Object.entries({
    // Cyrillic
    ...{ а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ї: 'i', ј: 'j', к: 'k', ӏ: 'l', о: 'o', р: 'p' },
    ...{ ԛ: 'q', ѕ: 's', ѵ: 'v', ԝ: 'w', х: 'x', у: 'y', ё: 'e', ӧ: 'o' },
    // Greek
    ...{ α: 'a', η: 'n', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', γ: 'y', ω: 'w' },
    // Armenian
    ...{ ց: 'g', հ: 'h', յ: 'j', ո: 'n', օ: 'o', զ: 'q', ս: 'u' },
    // Latin letters outside ASCII that are no accented letters
    ...{ ı: 'i', ɑ: 'a', ɡ: 'g', ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', ɩ: 'i', ƅ: 'b' },
  }),
)

const alphabets = ['Latin', 'Cyrillic', 'Greek', 'Armenian'].map(
  name => new RegExp(`\\p{Script=${name}}`, 'u'),
)

/** Names that are imitated most, without public suffixes. */
const known = new Set(
  `adobe airbnb aliexpress allegro amazon americanexpress apple binance booking chase coinbase dhl discord dropbox ebay
  facebook fedex github gmail google icloud instagram linkedin mastercard microsoft netflix openai outlook paypal
  pinterest reddit revolut samsung shopify signal slack snapchat spotify stripe telegram tiktok twitter uber ups usps visa
  wellsfargo whatsapp wikipedia wise yahoo youtube zoom`.split(/\s+/),
)

/**
 * Names longer than this many bytes are not checked for mixed alphabets, because so long a text cannot pass for a
 * domain name.
 */
const longestReading = 250

/**
 * `isDeceptive` is true if the letters alone show that the name is an imitation. If it is false, the name is an
 * imitation only if another project owns the Latin name.
 */
export type LatinReading = { name: string; isDeceptive: boolean }

/** Returns how a name reads if its letters are taken for Latin ones. Returns null for a name in ASCII. */
export function readAsLatin(name: string): LatinReading | null {
  const written = readableName(name)
  if (written === name) return null
  const read = [...written].map(letter => looksLike.get(letter) ?? withoutAccents(letter)).join('')
  const own = written.slice(0, -(getPublicSuffix(written) ?? '').length - 1)
  const isLatin = /^[\x20-\x7e]*$/.test(read)
  if (!isLatin) {
    const isReadable = Buffer.byteLength(read) <= longestReading
    return isReadable && mixesAlphabets(own) ? { name: read, isDeceptive: true } : null
  }
  const isForeign = alphabets.slice(1).some(alphabet => alphabet.test(own))
  const isKnown = known.has(getDomainWithoutSuffix(read) ?? '')
  return { name: read, isDeceptive: isForeign || isKnown }
}

/** Checks each label alone: two labels of a name may use two alphabets. */
function mixesAlphabets(written: string): boolean {
  return written.split('.').some(label => alphabets.filter(alphabet => alphabet.test(label)).length > 1)
}

const withoutAccents = (letter: string) => letter.normalize('NFD').replace(/\p{M}/gu, '')
