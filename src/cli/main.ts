import { exitCodes, Refused } from './exit.ts'
import { openOutput } from './output.ts'
import { printRefusal, run } from './run.ts'

const args = process.argv.slice(2)
const output = openOutput()
output.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader of a pipe may close it early: `animal-store pets list --all | head`.
  if (code === 'EPIPE') process.exit(exitCodes.done)
  const refused = new Refused(`The output cannot be written: ${code}.`, exitCodes.failed)
  printRefusal(refused, args.includes('--json'))
  process.exit(refused.exitCode)
})
// Errors that cannot be written change neither the work nor the exit code.
process.stderr.on('error', () => {})
process.exitCode = await run(args, process.env, output)
