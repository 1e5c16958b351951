import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { freshFolder } from '../support/databases.ts'
import { freePort } from '../support/programs.ts'

/** `script` gives the service its own terminal, in which Ctrl-C ends it. */
it('in a terminal the service logs for people, and first prints the address of every interface', {
  timeout: 90_000,
}, async ({ onTestFinished }) => {
  const own = await freshFolder()
  const port = String(await freePort())
  const child = spawn('script', ['-qec', `${process.execPath} src/start.js`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', PORT: port, HTTPS_PORT: '0', ...own.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const ended = new Promise(resolve => child.once('exit', resolve))
  const printed = (what: string | RegExp) => expect.poll(() => output, { timeout: 60_000 }).toMatch(what)

  await printed(/credentials\.json/)
  await ask(`http://127.0.0.1:${port}/v1/pets`)
  await printed(/GET \S+ 401 [\d.]+ ms/)
  child.stdin.write('\x03')
  await ended
  await own.remove()

  for (const door of ['dashboard', 'reference', 'GraphQL', 'Prisma Studio', 'command line']) {
    expect(output).toContain(`  ${door} `)
  }
  expect(output).not.toContain('{"level"')
})
