import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { bodyOf, functionName } from './mutations.ts'
import type { Tests } from './run-tests.ts'

/**
 * For each test file, its duration and the functions that it runs. A test file can only notice bugs in these functions.
 */
export type Seen = { [testFile: string]: { seconds: number; functions: string[] } }

/**
 * Runs every test file once on a copy in which each function records its calls, in every process. Takes as long as the
 * whole suite, so run.ts stores the result.
 */
export async function whatTestsSee(folder: string, tests: Tests, sources: string[]): Promise<Seen> {
  const notes = join(folder, 'functions-seen')
  const originals = new Map(sources.map(file => [file, readFileSync(file, 'utf8')]))
  for (const [file, text] of originals) writeFileSync(join(folder, file), withNotes(file, text, notes))

  const seen: Seen = {}
  const files = globSync('test/**/*.test.ts', { cwd: folder }).sort()
  for (const [at, test] of files.entries()) {
    rmSync(notes, { force: true })
    const { passed, seconds } = await tests.run([test])
    const functions = existsSync(notes) ? [...new Set(readFileSync(notes, 'utf8').trim().split('\n'))] : []
    console.log(
      `${at + 1} of ${files.length}: ${test} runs ${functions.length} functions in ${seconds.toFixed(0)} s`,
    )
    if (passed) seen[test] = { seconds, functions }
    else console.log('  It fails without any bug, so it is skipped.')
  }
  for (const [file, text] of originals) {
    writeFileSync(join(folder, file), text)
    tests.noteChange(file)
  }
  return seen
}

/** Keeps the line numbers, so that messages and stacks still name the right lines. */
function withNotes(file: string, text: string, notes: string): string {
  const insertions: { at: number; text: string }[] = []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  visit(source)
  return insertions
    .sort((a, b) => b.at - a.at)
    .reduce((result, one) => result.slice(0, one.at) + one.text + result.slice(one.at), text)

  function visit(node: ts.Node): void {
    const body = bodyOf(node)
    if (body) {
      const start = body.getStart()
      const note = noteOnce(`${file} ${functionName(node)}`, notes)
      if (ts.isBlock(body)) {
        // Insert the note directly after the opening brace. In a constructor, the note may run before `super()`.
        insertions.push({ at: start + 1, text: ` ${note};` })
      } else {
        insertions.push({ at: start, text: `(${note}, ` }, { at: body.getEnd(), text: ')' })
      }
    }
    ts.forEachChild(node, visit)
  }
}

function noteOnce(name: string, notes: string): string {
  const quoted = JSON.stringify(name)
  const write = `process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(notes)}, ${JSON.stringify(`${name}\n`)})`
  return `((globalThis.functionsSeen ??= new Set()).has(${quoted}) || (globalThis.functionsSeen.add(${quoted}), ${write}))`
}
