import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { lowestOf } from '../support/lowest.ts'
import { standIn } from '../support/stand-in.ts'

/** CPU milliseconds of a process: the lowest of several runs. */
async function cpuOf(args: string[], url: string): Promise<number> {
  const env = { ...process.env, HOME: '/nonexistent', ANIMAL_STORE_URL: url, ANIMAL_STORE_KEY: 'as_x' }
  const line = ['-c', '"$@" >/dev/null 2>&1; times', 'x', process.execPath, ...args]
  let lowest = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run++) {
    const { stdout } = await promisify(execFile)('bash', line, { env })
    const [, ofChild = ''] = stdout.trim().split('\n')
    const ms = [...ofChild.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
      0,
    )
    lowest = Math.min(lowest, ms)
  }
  return lowest
}

it.each([[['--help']], [['pets', 'list']]])(
  'the command %j uses less than seven times the CPU time of an empty program',
  async args => {
    // Without a service, the command would try again for some seconds.
    const url = await standIn((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ code: 'invalid_key', status: 401, message: 'The key is not valid.' }))
    })
    // The first start writes the cache of compiled code.
    spawnSync(process.execPath, ['src/cli/bin.js', '--version'])

    // Measure the command and the empty program in each round, because the machine may become slower between two
    // rounds.
    const ratio = await lowestOf(4, 7, async () => {
      const ofCommand = await cpuOf(['src/cli/bin.js', ...args], url)
      return ofCommand / (await cpuOf(['-e', '0'], url))
    })

    expect(ratio).toBeLessThan(7)
  },
)
