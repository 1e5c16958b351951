import stringWidth from 'string-width'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { table } from '../../src/cli/print.ts'
import { fitText, printable, printableLines, widthOf } from '../../src/cli/printable.ts'
import { writeOut } from '../../src/cli/write-out.ts'
import { runHere } from '../support/run-command.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

const title = '\u001b[31mred\u001b]0;pwn\u0007'
const shownTitle = '\\u001b[31mred\\u001b]0;pwn\\u0007'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not reach a terminal.
const obeyed = /(?!\n)[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

describe('a printable text', () => {
  it.each([
    [title, shownTitle],
    ['a\nb\tc\rd', 'a\\u000ab\\u0009c\\u000dd'],
    ['\u009b31mred\u007f', '\\u009b31mred\\u007f'],
    ['\u202eevil\u2066x\u2069\u061c\u200f', '\\u202eevil\\u2066x\\u2069\\u061c\\u200f'],
    ['a\u2028b', 'a\\u2028b'],
    ['Zoë 🦊 \u05d0\u05d1', 'Zoë 🦊 \u05d0\u05d1'],
  ])('the text %j is shown as %j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  it('a text of several lines keeps its line feeds, and escapes other control characters', () => {
    expect(printableLines('a\r\nb\u001b[2J')).toBe('a\\u000d\nb\\u001b[2J')
  })
})

it('at a terminal a line end that arrives in two pieces is shown as a line end', async () => {
  let shown = ''
  const terminal = {
    isTTY: true,
    write(text: string) {
      shown += text
      return true
    },
  }
  const pieces = ['a\r', '\nb\r', 'c\r'].map(text => new TextEncoder().encode(text))

  await writeOut(ReadableStream.from(pieces), terminal as unknown as NodeJS.WriteStream)

  expect(shown).toBe('a\nb\\u000dc\\u000d')
})

describe('the columns of a terminal', () => {
  it.each([
    ['Rex', 3],
    ['猫の名前', 8],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
  ])('the terminal width of the text %j is %i', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  it('each character of the first two Unicode planes has the width that the library string-width gives, except number signs and musical notes', () => {
    const different: string[] = []
    for (let code = 0x20; code < 0x20000; code++) {
      const character = String.fromCodePoint(code)
      const isSurrogate = code >= 0xd800 && code < 0xe000
      if (!isSurrogate && widthOf(character) !== stringWidth(character)) different.push(character)
    }

    const others = different.filter(
      character =>
        !/[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{1d15e}-\u{1d1c0}]/u.test(character),
    )
    expect(others).toEqual([])
  })

  it.each([
    ...['한글'.normalize('NFD'), 'नमस्ते', 'ที่นำ', 'سلام', 'ｶﾞ'],
    ...['☎️', '1️⃣', '👍🏽', '❤', '👨🏿‍🚀', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🫱🏻‍🫲🏿'],
  ])('the text %s is as wide as string-width says', text => {
    expect(widthOf(text)).toBe(stringWidth(text))
  })

  it('a text that does not fit is cut between two characters', () => {
    expect(fitText('猫の名前', 6)).toBe('猫の…')
    expect(fitText('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…')
    expect(fitText('猫の', 4)).toBe('猫の')
  })

  it('every cell of a column has the same width', () => {
    const rows = [
      ['猫', 'x'],
      ['e\u0301', 'y'],
      ['ab\u001b', 'z'],
    ]
    const lines = table(['A', 'B'], rows, { columns: Number.POSITIVE_INFINITY, colour: false }).split('\n')

    expect(new Set(lines.map(line => widthOf(line)))).toEqual(new Set([11]))
  })
})

describe('an old pet with control characters', () => {
  let app: App
  let store: TestProject
  const env = () => ({ ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: store.secret })

  beforeAll(async () => {
    app = await startApp()
    store = await app.makeProject()
    const projectId = store.project.id
    const pet = await app.tools.db.pet.create({ data: { projectId, name: title, categoryId: 1n } })
    await store.post('/v1/store/orders', { petId: Number(pet.id), note: 'two\n\u2066lines' })
  })
  afterAll(() => app.stop())

  it.each([[['pets', 'list']], [['pets', 'list', '--all']], [['orders', 'list']], [['orders', 'show', '1']]])(
    'the command %j escapes the control characters in the name of a stored pet',
    async args => {
      const { output, exitCode } = await runHere(env(), args)

      expect(exitCode).toBe(0)
      expect(output).toContain(shownTitle)
      expect(output).not.toMatch(obeyed)
    },
  )

  it('with --json the name of a pet is printed exactly, even with control characters', async () => {
    const { output } = await runHere(env(), ['pets', 'list', '--json'])

    expect(JSON.parse(output).items).toMatchObject([{ name: title }])
  })

  it.each([
    [['pets', 'show', '\u001b[2J']],
    [['pets', 'list', '--status', '\u001b[2J']],
    [['pets', 'list', '--\u001b[2J']],
    [['pets', '\u001b]0;pwn\u0007']],
    [['pets', 'pu\u202et']],
    [['\u001b[2J']],
    [['profiles', '\u001b[2J']],
    [['--profile', '\u001b[2J', 'limits']],
    [['pets', 'import', '/nonexistent/\u001b[2J']],
    [['pets', 'export', '/nonexistent/\u001b[2J']],
    [['deploy', '/nonexistent/\u001b[2J']],
  ])('an error message shows control characters of the arguments as escapes: %j', async args => {
    const { exitCode, errors } = await runHere(env(), args)

    expect(exitCode).not.toBe(0)
    expect(errors).toMatch(/\\u00[01]|\\u001b|\\u202e/)
    expect(errors).not.toMatch(obeyed)
  })

  it('if a name has control characters, pets add refuses the name with one readable line', async () => {
    const { errors, exitCode } = await runHere(env(), ['pets', 'add', title, '--category', '1'])

    expect(exitCode).toBe(2)
    expect(errors).toBe('<name> must not contain control characters or a lone surrogate.\n')
  })
})
