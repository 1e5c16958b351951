import { run } from './run.ts'

// The reader of a pipe may close it early: `animal-store pets list --all | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.exitCode = await run(process.argv.slice(2), process.env)
