import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Circuit, RedisOutage } from '../../src/limiter/circuit.ts'

// Fake timers, so that Redis takes as long as the test says.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

function openCircuit(timeoutMs = 150) {
  const lines: string[] = []
  const log = pino({}, { write: line => lines.push(JSON.parse(line).msg) })
  const redis = { isAway: true, calls: 0 }
  const probe = async () => {
    redis.calls++
    if (redis.isAway) throw new RedisOutage('away')
  }
  const circuit = new Circuit(probe, log, timeoutMs)
  const ask = (fault?: Error) =>
    circuit
      .run(fault ? Promise.reject(fault) : Promise.resolve('answer'))
      .catch((error: Error) => error.message)
  return { circuit, redis, lines, ask, fail: () => ask(new RedisOutage('away')) }
}

it('three failures in a row open the circuit, and an answer in between starts the count again', async () => {
  const { circuit, ask, fail } = openCircuit()
  for (let time = 0; time < 5; time++) {
    expect([await fail(), await fail(), await ask()]).toEqual(['away', 'away', 'answer'])
    expect(circuit.isOpen).toBe(false)
  }

  await fail()
  await fail()
  expect(circuit.isOpen).toBe(false)
  await fail()
  expect(circuit.isOpen).toBe(true)
})

it('an error in which Redis reports its own state opens the circuit at once, and a bug does not', async () => {
  const { circuit, ask } = openCircuit()
  for (let time = 0; time < 5; time++) await ask(new TypeError('a bug'))
  expect(circuit.isOpen).toBe(false)

  await ask(new RedisOutage('READONLY', true))

  expect(circuit.isOpen).toBe(true)
})

it('an open circuit probes Redis five times a second, logs two lines for an outage, and counts failures from zero after it', async () => {
  const { circuit, redis, lines, fail } = openCircuit()
  for (let time = 0; time < 10; time++) await fail()

  await vi.advanceTimersByTimeAsync(1000)
  expect([circuit.isOpen, redis.calls]).toEqual([true, 5])
  redis.isAway = false
  await vi.advanceTimersByTimeAsync(1000)

  expect([circuit.isOpen, redis.calls]).toEqual([false, 6])
  expect(lines).toEqual([
    'limiter: Redis is unavailable; each process counts alone until Redis answers again',
    'limiter: Redis counts again',
  ])
  await fail()
  await fail()
  expect(circuit.isOpen).toBe(false)
})

it('a call that Redis does not answer fails after its timeout, and at most one interval of the circuit’s timer later', async () => {
  const { circuit } = openCircuit(150)
  let became = 'waiting'
  circuit.run(new Promise(() => {})).catch((error: Error) => {
    became = error.message
  })

  await vi.advanceTimersByTimeAsync(170)
  expect(became).toBe('waiting')
  await vi.advanceTimersByTimeAsync(10)
  expect(became).toBe('Redis did not answer in time.')
})

it('when the circuit opens, waiting calls are given up at once and not counted again', async () => {
  const { circuit, redis, lines, fail } = openCircuit(1_000)
  const waiting = Array.from({ length: 3 }, () =>
    circuit.run(new Promise(() => {})).catch((error: Error) => error.message),
  )

  for (let time = 0; time < 3; time++) await fail()

  expect(await Promise.all(waiting)).toEqual(Array(3).fill('away'))
  redis.isAway = false
  await vi.advanceTimersByTimeAsync(2_000)
  expect([circuit.isOpen, lines.length]).toEqual([false, 2])
})

it('the circuit times out each hanging call to Redis, and keeps no timer while no call waits', async () => {
  const { circuit } = openCircuit(150)

  for (let time = 0; time < 2; time++) {
    const { promise, resolve } = Promise.withResolvers<string>()
    const answered = circuit.run(promise)
    const hanging = circuit.run(new Promise(() => {})).catch((error: Error) => error.message)
    resolve('answer')
    expect(await answered).toBe('answer')

    await vi.advanceTimersByTimeAsync(200)

    expect(await hanging).toBe('Redis did not answer in time.')
    expect(vi.getTimerCount()).toBe(0)
  }
})

it('an answer after the timeout does not close the circuit, and a late failure is not counted twice', async () => {
  const { circuit, fail } = openCircuit(150)
  const late = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const given = late.map(({ promise }) => circuit.run(promise).catch((error: Error) => error.message))
  await vi.advanceTimersByTimeAsync(200)
  expect(await Promise.all(given)).toEqual(Array(2).fill('Redis did not answer in time.'))

  late[0]?.reject(new RedisOutage('away'))
  await vi.advanceTimersByTimeAsync(0)
  expect(circuit.isOpen).toBe(false)
  late[1]?.resolve('answer')
  await vi.advanceTimersByTimeAsync(0)

  await fail()
  expect(circuit.isOpen).toBe(true)
})

it('several successful probes at once close the circuit once', async () => {
  const lines: string[] = []
  const log = pino({}, { write: line => lines.push(JSON.parse(line).msg) })
  const probes: PromiseWithResolvers<void>[] = []
  const probe = () => {
    const calls = Promise.withResolvers<void>()
    probes.push(calls)
    return calls.promise
  }
  const circuit = new Circuit(probe, log, 10_000)
  await circuit.run(Promise.reject(new RedisOutage('READONLY', true))).catch(() => {})
  await vi.advanceTimersByTimeAsync(600)
  expect(probes).toHaveLength(3)

  for (const { resolve } of probes) resolve()
  await vi.advanceTimersByTimeAsync(1000)

  expect(probes).toHaveLength(3)
  expect(circuit.isOpen).toBe(false)
  expect(lines).toEqual([
    'limiter: Redis is unavailable; each process counts alone until Redis answers again',
    'limiter: Redis counts again',
  ])
})

it('a closed limiter keeps no timer, even with a call that waits for Redis', async () => {
  const { circuit, redis, fail } = openCircuit()
  for (let time = 0; time < 3; time++) await fail()
  void circuit.run(new Promise(() => {})).catch(() => {})

  circuit.close()

  expect(vi.getTimerCount()).toBe(0)
  await vi.advanceTimersByTimeAsync(1000)
  expect(redis.calls).toBe(0)
})
