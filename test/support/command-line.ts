import { execFile } from 'node:child_process'

export type Run = { exitCode: number; output: string; errors: string }

/** Runs the command as a script does: with only this environment, and without a terminal. */
export function runCommand(
  env: Record<string, string>,
  args: string[],
  program = 'src/cli/bin.js',
  input = '',
): Promise<Run> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      // Do not use the profile of the person who runs the tests.
      { env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env } },
      (error, output, errors) =>
        resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, output, errors }),
    )
    // A command that does not read its input can end before the input is written.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
