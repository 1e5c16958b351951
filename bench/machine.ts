import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../test/support/programs.ts'
import type { Options } from './options.ts'

/** Exits with a message if the machine lacks a program; installs the peers and clients. */
export function prepareMachine({ equalityOnly, latency }: Options): void {
  const needed = ['postgres', 'redis-server', 'taskset', ...(equalityOnly || latency ? [] : ['wrk', 'psql'])]
  const missing = needed.filter(name => findProgram(name) === null)
  if (missing.length > 0) {
    console.error(`The bench needs ${missing.join(', ')} on this machine.`)
    process.exit(1)
  }
  if (!equalityOnly) leaveFirstCore()
  if (isInstalled()) return
  const way = ['ci', '--prefix', import.meta.dirname, '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', way, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** True if each package has the right version. An older `node_modules` may lack a package. */
function isInstalled(): boolean {
  const read = (...path: string[]) =>
    JSON.parse(readFileSync(join(import.meta.dirname, ...path, 'package.json'), 'utf8'))
  const { dependencies, devDependencies } = read()
  return Object.entries({ ...dependencies, ...devDependencies }).every(
    ([name, version]) =>
      existsSync(join(import.meta.dirname, 'node_modules', name)) &&
      read('node_modules', name).version === version,
  )
}

/** Leaves the first core to the contestant. This process, its wrk, PostgreSQL and Redis use the others. */
function leaveFirstCore(): void {
  const last = cpus().length - 1
  if (last > 0) execFileSync('taskset', ['-acp', `1-${last}`, String(process.pid)], { stdio: 'ignore' })
}

/**
 * Returns the commit that is measured, and whether files have changed since. Ignores the files that the bench itself
 * writes.
 */
export function describeCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  const written = ['growth.md', 'growth.svg', 'latency.md', 'results.md', 'results.svg'].map(
    file => `:!${file}`,
  )
  const changed = git('status', '--porcelain', '--', '../src', '../prisma', '.', ...written)
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
}

export function describeMachine(): string {
  return `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, ${process.platform}`
}
