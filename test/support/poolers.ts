import { execFileSync } from 'node:child_process'
import { findProgram } from './programs.ts'

/** From version 1.21 PgBouncer tracks prepared statements for each client. Debian 12 has an older version. */
const firstFit = 121

const found = ['pgbouncer', 'pgbouncer-1.24'].flatMap(name => {
  const command = findProgram(name)
  return command ? [{ command, version: versionOf(command) }] : []
})

export const fitPooler = found.find(({ version }) => version >= firstFit)?.command
export const oldPooler = found.find(({ version }) => version < firstFit)?.command

function versionOf(command: string): number {
  const text = execFileSync(command, ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(text) ?? []
  return Number(major) * 100 + Number(minor)
}
