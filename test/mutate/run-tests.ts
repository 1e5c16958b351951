import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutation } from './mutations.ts'

/** A bug that makes the tests hang is noticed as well. */
const minutesAtMost = 15

export async function runTests(
  folder: string,
  tests: string[],
): Promise<{ passed: boolean; seconds: number }> {
  const begun = performance.now()
  const child = spawn('npx', ['vitest', 'run', '--bail', '1', '--reporter', 'dot', ...tests], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  })
  const tooLong = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), minutesAtMost * 60_000)
  const [code] = await once(child, 'exit')
  clearTimeout(tooLong)
  return { passed: code === 0, seconds: (performance.now() - begun) / 1000 }
}

export function mutated({ file, start, end, replacement }: Mutation): string {
  const text = readFileSync(file, 'utf8')
  return text.slice(0, start) + replacement + text.slice(end)
}

/** Puts one bug into the copy, shows it to these tests, the quickest first, and takes it out again. */
export async function isNoticed(folder: string, mutation: Mutation, tests: string[]): Promise<boolean> {
  const place = join(folder, mutation.file)
  writeFileSync(place, mutated(mutation))
  try {
    const quickest = tests.slice(0, 4)
    if (quickest.length > 0 && !(await runTests(folder, quickest)).passed) return true
    const rest = tests.slice(4)
    return rest.length > 0 && !(await runTests(folder, rest)).passed
  } finally {
    writeFileSync(place, readFileSync(mutation.file))
  }
}
