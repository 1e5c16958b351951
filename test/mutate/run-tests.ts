import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createVitest, type TestCase, type TestModule } from 'vitest/node'
import type { Mutation } from './mutations.ts'

/** A timeout counts as a noticed bug. */
const longestMs = 15 * 60_000

/** The result of some tests; `failed` names the first failed test. */
export type Outcome = { passed: boolean; seconds: number; failed: string | null }

/** Runs tests of a copy repeatedly in one process, which starts the services once. */
export type Tests = {
  run(files: string[]): Promise<Outcome>
  /** Call after a file of the copy has changed. */
  noteChange(file: string): void
  close(): Promise<void>
}

export async function openTests(folder: string): Promise<Tests> {
  let failed: string | null = null

  function noteFailure(what: string): void {
    failed ??= what
    void vitest.cancelCurrentRun('test-failure')
  }
  const firstFailure = {
    onTestCaseResult(test: TestCase) {
      if (test.result().state === 'failed') noteFailure(test.fullName)
    },
    onTestModuleEnd(module: TestModule) {
      if (module.errors().length > 0) noteFailure(module.relativeModuleId)
    },
  }
  // Isolate files, so that a bug loaded by one run does not reach the next.
  const options = { root: folder, watch: false, reporters: [firstFailure], silent: true, isolate: true }
  const vitest = await createVitest('test', options)

  return {
    async run(files) {
      failed = null
      const home = process.cwd()
      // Tests start programs by relative paths, which must lead to the copy.
      process.chdir(folder)
      const begun = performance.now()
      const wanted = new Set(files.map(file => join(folder, file)))
      const all = await vitest.globTestSpecifications(files)
      const run = vitest.runTestSpecifications(all.filter(({ moduleId }) => wanted.has(moduleId)))
      const tooLong = new AbortController()
      const hangs = wait(longestMs, true, { signal: tooLong.signal }).catch(() => false)
      try {
        if (await Promise.race([run.then(() => false), hangs])) noteFailure('a run that did not end')
        if ((await run).unhandledErrors.length > 0) failed ??= 'an error that no test has caught'
      } catch (error) {
        // A migration with a bug may fail to apply.
        failed ??= `the setup of the tests: ${error}`.slice(0, 200)
      } finally {
        tooLong.abort()
        process.chdir(home)
      }
      return { passed: failed === null, seconds: (performance.now() - begun) / 1000, failed }
    },
    noteChange: file => vitest.invalidateFile(join(folder, file)),
    async close() {
      await vitest.close()
      // Vitest sets a failing exit code for failed tests; here a failed test is a noticed bug.
      process.exitCode = 0
    },
  }
}

export function mutated({ start, end, replacement }: Mutation, text: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** `noticed` is true if a test failed, and `by` names the first failed test. */
export type Notice = { noticed: boolean; by: string | null }

/** Browser bundles must be rebuilt before tests can see a change. */
const built: [part: string, build: string][] = [
  ['src/dashboard/', 'node_modules/.bin/vite build --config src/dashboard/vite.config.ts --logLevel error'],
  [
    'src/studio/page/',
    'node_modules/.bin/vite build --config src/studio/page/vite.config.ts --logLevel error',
  ],
]

/**
 * Puts one bug into the copy and runs the first `atFirst` tests. If they pass, runs the other tests. Then removes the
 * bug.
 */
export async function isNoticed(
  { folder, tests }: { folder: string; tests: Tests },
  mutation: Mutation,
  files: string[],
  atFirst = 4,
): Promise<Notice> {
  const { file } = mutation
  const place = join(folder, file)
  const write = (text: string) => {
    writeFileSync(place, text)
    tests.noteChange(file)
    for (const [part, build] of built)
      if (file.startsWith(part)) execFileSync(build, { cwd: folder, shell: true })
  }
  // Read the copy's file: the project itself may change while the tests run.
  const original = readFileSync(place, 'utf8')
  write(mutated(mutation, original))
  // A bug in a migration needs a new test process, because a process migrates the template of its databases only once.
  const fresh = file.startsWith('prisma/') ? await openTests(folder) : null
  try {
    for (const some of [files.slice(0, atFirst), files.slice(atFirst)]) {
      if (some.length === 0) continue
      const { passed, failed } = await (fresh ?? tests).run(some)
      if (!passed) return { noticed: true, by: failed }
    }
    return { noticed: false, by: null }
  } finally {
    await fresh?.close()
    write(original)
  }
}
