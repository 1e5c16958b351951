import { run } from './run.ts'

// Whoever reads may stop reading: `animal-store pets list --all | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.exitCode = await run(process.argv.slice(2), process.env)
