import { existsSync, globSync, readFileSync } from 'node:fs'
import type { Mutation } from './mutations.ts'

/** A bug that somebody chose, with the tests that should notice it. */
export type Chosen = { mutation: Mutation; tests: string[] }

/**
 * The bugs of test/mutate/chosen: a line names a file and those tests, further ones say what is wrong, and under each
 * stand lines that become others: `- ` what there is in the file once, `+ ` what takes its place.
 */
export function readChosen(): Chosen[] {
  return globSync('test/mutate/chosen/*.txt').sort().flatMap(readList)
}

function readList(list: string): Chosen[] {
  const found: Chosen[] = []
  let file = ''
  let tests: string[] = []
  for (const block of readFileSync(list, 'utf8').split(/^(?=[^\s+-])/m)) {
    const [title = '', ...lines] = block.trimEnd().split('\n')
    if (title.startsWith('src/')) {
      const [named = '', ...names] = title.split(/\s+/)
      file = named
      tests = names.map(test => `test/${test}.test.ts`)
      for (const test of tests) if (!existsSync(test)) console.log(`OUTDATED  ${test} is not there: ${list}`)
    } else if (lines.length > 0) {
      const mutation = place(file, title, textOf(lines, '-'), textOf(lines, '+'))
      if (mutation) found.push({ mutation, tests })
      else console.log(`OUTDATED  ${file} ${title}: choose it anew in ${list}`)
    }
  }
  return found
}

const textOf = (lines: string[], sign: string) =>
  lines
    .filter(line => line.startsWith(sign))
    .map(line => line.slice(2))
    .join('\n')

/** Null where the file has changed so much that it does not hold just once what the bug changes. */
function place(file: string, title: string, before: string, replacement: string): Mutation | null {
  const text = readFileSync(file, 'utf8')
  const start = text.indexOf(before)
  if (start < 0 || text.indexOf(before, start + 1) >= 0) return null
  const line = text.slice(0, start).split('\n').length
  return {
    file,
    line,
    kind: 'chosen',
    start,
    end: start + before.length,
    before,
    replacement,
    inFunction: title,
  }
}
