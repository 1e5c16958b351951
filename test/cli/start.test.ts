import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** CPU milliseconds of a process: the lowest of several runs. */
function cpuOf(args: string[]): number {
  const env = {
    ...process.env,
    HOME: '/nonexistent',
    ANIMAL_STORE_URL: 'http://127.0.0.1:9',
    ANIMAL_STORE_KEY: 'as_x',
  }
  const runs = Array.from({ length: 5 }, () => {
    const { stdout } = spawnSync(
      'bash',
      ['-c', '"$@" >/dev/null 2>&1; times', 'x', process.execPath, ...args],
      {
        encoding: 'utf8',
        env,
      },
    )
    const [, ofChild = ''] = stdout.trim().split('\n')
    return [...ofChild.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
      0,
    )
  })
  return Math.min(...runs)
}

it.each([[['--help']], [['pets', 'list']]])(
  '%j starts with at most seven times the CPU of an empty program',
  args => {
    // The first start writes the cache of compiled code.
    spawnSync(process.execPath, ['src/cli/bin.js', '--version'])

    expect(cpuOf(['src/cli/bin.js', ...args]) / cpuOf(['-e', '0'])).toBeLessThan(7)
  },
)
