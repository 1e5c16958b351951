import { expect, test } from 'vitest'
import { openFairTurns } from '../../src/hosting/fair-queue.ts'

const later = () => performance.now() + 60_000

/** Starts functions that end when the test says so. */
function startSlow(turn: ReturnType<ReturnType<typeof openFairTurns>['join']>, name: string, log: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = turn(later(), async () => {
    log.push(name)
    await promise
  })
  return { end: resolve, done }
}

test('functions wait while the limit of running functions is reached, and start as running functions end', async () => {
  const turn = openFairTurns(2).join()
  const log: string[] = []
  const [a, b, c] = ['a', 'b', 'c'].map(name => startSlow(turn, name, log))

  await Promise.resolve()
  expect(log).toEqual(['a', 'b'])
  b?.end()
  await b?.done
  await expect.poll(() => log).toEqual(['a', 'b', 'c'])

  a?.end()
  c?.end()
})

test('the caller with the fewest running functions starts the next function, even if another caller has many waiting functions', async () => {
  const turns = openFairTurns(3)
  const [greedy, modest] = [turns.join(), turns.join()]
  const log: string[] = []
  const many = Array.from({ length: 100 }, () => startSlow(greedy, 'greedy', log))
  const one = startSlow(modest, 'modest', log)

  await expect.poll(() => log.length).toBe(3)
  many[0]?.end()
  await many[0]?.done
  await expect.poll(() => log).toEqual(['greedy', 'greedy', 'greedy', 'modest'])

  for (const { end } of [...many, one]) end()
  await Promise.all([...many, one].map(({ done }) => done))
})

test('a function whose deadline passes while it waits does not run, and later functions still run', async () => {
  const turn = openFairTurns(1).join()
  const log: string[] = []
  const first = startSlow(turn, 'first', log)

  const late = turn(performance.now() + 10, async () => log.push('late'))
  await expect(late).rejects.toThrow('timed out')
  first.end()
  await first.done
  await turn(later(), async () => log.push('next'))

  expect(log).toEqual(['first', 'next'])
})

test('a function that fails frees its slot for the next function', async () => {
  const turn = openFairTurns(1).join()

  const failing = turn(later(), () => Promise.reject(new Error('broken')))

  await expect(failing).rejects.toThrow('broken')
  expect(await turn(later(), async () => 'next')).toBe('next')
})
