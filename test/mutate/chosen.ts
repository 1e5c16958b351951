import { existsSync, globSync, readFileSync } from 'node:fs'
import type { Mutation } from './mutations.ts'

/** A bug chosen by a person, and the tests that should fail. */
export type Chosen = { mutation: Mutation; tests: string[] }

/**
 * Reads the bugs in test/mutate/chosen. The first line names a source file and its tests. Each further line names a
 * bug, followed by the text to replace (`- `, which must occur exactly once) and its replacement (`+ `). `outdated`
 * lists bugs whose file, tests or text no longer exist.
 */
export function readChosen(): { bugs: Chosen[]; outdated: string[] } {
  const lists = globSync('test/mutate/chosen/*.txt').sort().map(readList)
  return { bugs: lists.flatMap(list => list.bugs), outdated: lists.flatMap(list => list.outdated) }
}

function readList(list: string): { bugs: Chosen[]; outdated: string[] } {
  const found: Chosen[] = []
  const outdated: string[] = []
  let file = ''
  let tests: string[] = []
  for (const block of readFileSync(list, 'utf8').split(/^(?=[^\s+-])/m)) {
    const [title = '', ...lines] = block.trimEnd().split('\n')
    if (/^(src|clients|prisma)\//.test(title)) {
      const [named = '', ...names] = title.split(/\s+/)
      file = named
      tests = names.map(test => `test/${test}.test.ts`)
      for (const path of [file, ...tests]) if (!existsSync(path)) outdated.push(`${path} is not there`)
    } else if (lines.length > 0) {
      const mutation = place(file, title, textOf(lines, '-'), textOf(lines, '+'))
      if (mutation) found.push({ mutation, tests })
      else outdated.push(`${file}: ${title}`)
    }
  }
  return { bugs: found, outdated }
}

const textOf = (lines: string[], sign: string) =>
  lines
    .filter(line => line.startsWith(sign))
    .map(line => line.slice(2))
    .join('\n')

/** Returns null unless the file contains the text exactly once. */
function place(file: string, title: string, before: string, replacement: string): Mutation | null {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
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
