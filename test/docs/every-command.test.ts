import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commandsOf, inlineCommandsOf, type Language, languages, notTyped } from '../support/documents.ts'
import { runHere } from '../support/run-command.ts'

/** The commands of a document that one test runs: all commands of a language, or only those below some headings. */
type Typed = { document: string; language: Language; test: string; headings?: string[] }

const clients = 'test/docs/answers.test.ts'
const operators = 'test/docs/commands.test.ts'
const operating = 'docs/operating.md'
const domains = 'docs/domains.md'
const typed: Typed[] = [
  { document: 'README.md', language: 'sh', test: clients },
  { document: 'docs/events.md', language: 'sh', test: clients },
  { document: 'docs/graphql.md', language: 'sh', test: clients },
  { document: 'docs/keys.md', language: 'sh', test: clients },
  { document: 'docs/usage.md', language: 'sh', test: clients },
  { document: 'docs/webhooks.md', language: 'sh', test: clients },
  { document: 'docs/runbook.md', language: 'sh', test: operators },
  { document: 'docs/runbook.md', language: 'console', test: operators },
  { document: domains, language: 'sh', test: 'test/hosting/walk-through.test.ts' },
  { document: domains, language: 'sql', test: 'test/hosting/secrets-key.test.ts' },
  { document: operating, language: 'sql', test: operators, headings: ['Behind a pooler', 'Search by name'] },
  {
    document: operating,
    language: 'sh',
    test: operators,
    headings: [
      'Search by name',
      'Limits and bans by hand',
      'Backup and restore',
      'From the embedded database to PostgreSQL',
    ],
  },
  {
    document: operating,
    language: 'sh',
    test: 'test/docs/changes.test.ts',
    headings: [
      ...['Upgrade and rollback', 'Scaling out', 'The password of PostgreSQL', 'The password of Redis'],
      ...["The operator's key", 'The key of the secrets', 'A key of a project'],
    ],
  },
]

const documents = ['README.md', ...globSync('docs/*.md').sort()]
const found = documents.flatMap(document =>
  languages.flatMap(language =>
    commandsOf(document, language).map(command => ({ document, language, ...command })),
  ),
)
const isTypedBy = ({ document, language, headings }: Typed, command: (typeof found)[number]) =>
  command.document === document &&
  command.language === language &&
  (headings?.includes(command.heading) ?? true)

it('a test runs every command of the documents, unless the list of untested commands names the command', () => {
  const unknown = found.filter(
    command => !(command.command in notTyped) && !typed.some(each => isTypedBy(each, command)),
  )

  expect(unknown).toEqual([])
})

it('the list of untested commands names only commands of the documents', () => {
  const stale = Object.keys(notTyped).filter(name => !found.some(({ command }) => command === name))
  const files = Object.values(notTyped).filter(text => /^(test|checks)\//.test(text))

  expect(stale).toEqual([])
  expect(files.filter(file => !existsSync(file))).toEqual([])
})

it.each(typed)('$test runs commands of $document', each => {
  const source = readFileSync(each.test, 'utf8')

  expect(source).toContain(each.document)
  for (const heading of each.headings ?? [undefined]) {
    const isBelow = (command: (typeof found)[number]) => heading === undefined || command.heading === heading
    expect(
      found.filter(command => isTypedBy(each, command) && isBelow(command)),
      heading,
    ).not.toEqual([])
    expect(source).toContain(heading ?? '')
  }
})

it.each(documents)(
  '%s has no indented code block, because the tests find commands only in fenced code blocks',
  document => {
    const text = readFileSync(document, 'utf8').replace(/^ *```.*?^ *```/gms, '')

    expect(text).not.toMatch(/\n\n {4}\S/)
  },
)

// `animal-store migrate` is a command of the service; commands.test.ts runs it.
const inline = documents.flatMap(document =>
  ['animal-store', 'npx animal-store'].flatMap(word => inlineCommandsOf(document, word)),
)

it.each([...new Set(inline)].filter(command => command !== 'animal-store migrate'))(
  'a command in the prose of a document exists in the command line with its options: %s',
  async command => {
    const words = command.replace(/^(npx )?animal-store /, '').split(' ')
    const given = words.filter(word => word.startsWith('--'))

    const { exitCode, output } = await runHere({}, [...words, '--help'])

    const [usage = ''] = output.split('\n')
    expect(exitCode).toBe(0)
    // The usage of a group of commands contains [command], and the usage of a single command does not.
    if (!words.includes('--help')) expect(usage).not.toContain('[command]')
    for (const option of given) expect(output).toMatch(new RegExp(`${option}[\\s,]`))
  },
)
