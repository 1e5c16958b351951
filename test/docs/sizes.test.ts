import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The requests of the example in docs/operating.md, as shares of all requests. */
const example = {
  'REST list, cached': 0.6,
  'REST list, not cached': 0.2,
  'REST create': 0.1,
  'REST update': 0.05,
  'REST place an order': 0.05,
}
/** At this rate, a microsecond of CPU time for each request takes a hundredth of a core. */
const perSecond = 10_000

test.each([
  ['node', 0],
  ['Redis', 1],
  ['PostgreSQL', 2],
])('the example of sizes follows from the table of CPU times: %s', (part, column) => {
  const cellsOf = (name: string) =>
    rows.find(([first]) => first === name)?.slice(1) ?? expect.fail(`no row ${name}`)
  const microseconds = Object.entries(example).reduce(
    (sum, [name, share]) => sum + share * Number(cellsOf(name)[column]),
    0,
  )

  expect(cellsOf(part)[2]).toMatch(/^\d+%/)
  expect(Number.parseInt(cellsOf(part)[2] ?? '', 10)).toBe(
    Math.round((microseconds * perSecond * 100) / 1_000_000),
  )
})

const rows = readFileSync('docs/operating.md', 'utf8')
  .split('\n')
  .filter(line => line.startsWith('| '))
  .map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  )
