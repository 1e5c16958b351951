import { expect, test } from 'vitest'
import { oneAtATime } from '../../src/database/one-at-a-time.ts'
import { openShares } from '../../src/database/shares.ts'

/**
 * Returns a function `run`, which starts a run. A run ends only when the test calls `end` or `fail` with the number of
 * the run.
 */
function openRuns() {
  const ends: PromiseWithResolvers<void>[] = []
  const run = () => {
    const end = Promise.withResolvers<void>()
    ends.push(end)
    return end.promise
  }
  return {
    run,
    begun: () => ends.length,
    end: (n: number) => ends[n]?.resolve(),
    fail: (n: number) => ends[n]?.reject(new Error(`run ${n}`)),
  }
}

const became = (query: Promise<unknown>) =>
  query.then(
    () => 'done',
    (error: Error) => error.message,
  )
const aMoment = () => new Promise(resolve => setImmediate(resolve))

test('if a task may run only once at a time, all calls during a run share the next run, which begins after the current run', async () => {
  const { run, begun, end } = openRuns()
  const looks = oneAtATime(run)
  let answered = 0

  const first = looks.ask()
  const others = [looks.ask(), looks.ask()].map(query => query.then(() => answered++))
  await aMoment()
  expect(begun()).toBe(1)
  end(0)
  await first
  await aMoment()
  expect([begun(), answered]).toEqual([2, 0])
  expect(looks.isUnderWay()).toBe(true)
  end(1)
  await Promise.all(others)

  expect([begun(), answered]).toEqual([2, 2])
  await aMoment()
  expect(looks.isUnderWay()).toBe(false)
})

test('if a call comes during each run, the runs follow one after another, and each call gets an answer', async () => {
  const { run, begun, end } = openRuns()
  const looks = oneAtATime(run)
  const answered: number[] = []
  const ask = (n: number) => looks.ask().then(() => answered.push(n))

  const query = [ask(0)]
  for (let n = 1; n < 4; n++) {
    query.push(ask(n))
    end(n - 1)
    await aMoment()
    expect([begun(), answered.length]).toEqual([n + 1, n])
  }
  end(3)

  await Promise.all(query)
  expect([begun(), answered]).toEqual([4, [0, 1, 2, 3]])
})

test('the next run begins even after a failed run, and the callers of the next run get the result of that run', async () => {
  const { run, fail, end } = openRuns()
  const looks = oneAtATime(run)

  const first = became(looks.ask())
  const second = became(looks.ask())
  fail(0)
  expect(await first).toBe('run 0')
  await aMoment()
  end(1)
  expect(await second).toBe('done')

  const third = became(looks.ask())
  end(2)
  expect(await third).toBe('done')
})

test('if a task may run only once at a time, idle() resolves after the current and the next run, even if the next run failed', async () => {
  const { run, end, fail } = openRuns()
  const looks = oneAtATime(run)
  void became(looks.ask())
  void became(looks.ask())
  let isIdle = false

  const idle = looks.idle().then(() => {
    isIdle = true
  })
  end(0)
  await aMoment()
  expect(isIdle).toBe(false)
  fail(1)

  await idle
})

test('with a limit of two, calls of one project begin in their order, two at a time, even after failures', async () => {
  const { run, begun, end, fail } = openRuns()
  const share = openShares(2, 2)
  const answers = Array.from({ length: 5 }, () => became(share(1, run)))
  await aMoment()
  expect(begun()).toBe(2)

  fail(0)
  fail(1)
  await aMoment()
  expect(begun()).toBe(4)
  end(2)
  end(3)
  await aMoment()
  end(4)
  expect(await Promise.all(answers)).toEqual(['run 0', 'run 1', 'done', 'done', 'done'])

  const later = Array.from({ length: 3 }, () => became(share(1, run)))
  await aMoment()
  expect(begun()).toBe(7)
  for (const n of [5, 6]) end(n)
  await aMoment()
  end(7)
  expect(await Promise.all(later)).toEqual(['done', 'done', 'done'])
})

test('of three places for concurrent calls, one project gets at most two, and projects with waiting calls take turns', async () => {
  const order: string[] = []
  const ends: (() => void)[] = []
  const share = openShares(3, 2)
  const start = (owner: number, name: string) =>
    void share(owner, () => {
      order.push(name)
      return new Promise<void>(end => ends.push(end))
    })

  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) start(1, name)
  await aMoment()
  expect(order).toEqual(['a1', 'a2'])
  for (const name of ['b1', 'b2', 'b3']) start(2, name)
  start(3, 'c1')
  await aMoment()
  expect(order).toEqual(['a1', 'a2', 'b1'])

  for (let n = 0; n < 9; n++) {
    ends[n]?.()
    await aMoment()
  }
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4', 'b3', 'a5'])
})
