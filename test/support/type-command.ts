import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from './programs.ts'

const run = promisify(execFile)

export type Typed = { code: number; stdout: string; stderr: string }

/** Runs a command from the docs in bash, with only these variables, and PostgreSQL's programs on the PATH. */
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
