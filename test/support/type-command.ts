import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from './programs.ts'

const run = promisify(execFile)

export type Typed = { code: number; stdout: string; stderr: string }

/** Runs a command of a document as a person in a shell, with only these settings, and PostgreSQL's programs. */
export async function typeCommand(
  command: string,
  env: Record<string, string>,
  cwd?: string,
): Promise<Typed> {
  const path = [...(process.env.PATH ?? '').split(':'), findProgram('initdb')?.replace('/initdb', '')]
  return run('bash', ['-c', command], { cwd, env: { PATH: path.join(':'), ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}
