import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ask } from '../support/ask.ts'
import { freshFolder } from '../support/databases.ts'
import { freePort } from '../support/programs.ts'

vi.setConfig({ testTimeout: 90_000 })

/** `script` gives the service its own terminal, in which Ctrl-C ends it. */
async function startInTerminal() {
  const own = await freshFolder()
  const port = String(await freePort())
  const child = spawn('script', ['-qec', `exec ${process.execPath} src/start.js`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', PORT: port, HTTPS_PORT: '0', ...own.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise(resolve => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await own.remove()
  })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  return {
    ...{ child, ended },
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    printed: (what: string | RegExp) => expect.poll(() => output, { timeout: 60_000 }).toMatch(what),
  }
}

it('in a terminal the service logs for people, and first prints the address of every interface', async () => {
  const { child, ended, url, output, printed } = await startInTerminal()

  await printed(/credentials\.json/)
  await ask(`${url}/v1/pets`)
  await printed(/GET \S+ 401 [\d.]+ ms/)
  child.stdin.write('\x03')
  await ended

  for (const door of ['dashboard', 'reference', 'GraphQL', 'Prisma Studio', 'command line']) {
    expect(output()).toContain(`  ${door} `)
  }
  expect(output()).not.toContain('{"level"')
})

it('the service ends when its terminal is closed, and a SIGHUP while the terminal is open only makes it read its secrets again', async () => {
  const { child, ended, url, printed } = await startInTerminal()
  await printed(/credentials\.json/)
  const [pid = 0] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    .split(' ')
    .map(Number)
  const livez = () =>
    ask(`${url}/livez`).then(
      ({ status }) => status,
      ({ code }) => code,
    )
  onTestFinished(async () => {
    if ((await livez()) === 200) process.kill(pid, 'SIGKILL')
  })

  process.kill(pid, 'SIGHUP')
  await printed(/SIGHUP: secrets were read from their files again/)
  expect(await livez()).toBe(200)
  child.kill('SIGKILL')
  await ended

  await expect.poll(livez, { timeout: 20_000 }).toBe('ECONNREFUSED')
})
