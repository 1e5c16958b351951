import { expect, test } from 'vitest'
import { openQueues } from '../../src/tools/queues.ts'

test('tasks beyond the concurrency limit of a key wait and begin in order, and tasks of other keys begin at once', () => {
  const queues = openQueues<string>()
  const begun: string[] = []
  const ask = (key: string, name: string) => queues.ask(key, 2, () => begun.push(name))

  const waiting = ['a1', 'a2', 'a3', 'a4'].map(name => ask('a', name) !== null)
  ask('b', 'b1')
  expect(waiting).toEqual([false, false, true, true])
  expect(begun).toEqual(['a1', 'a2', 'b1'])

  queues.end('a')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (let n = 0; n < 3; n++) queues.end('a')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
  expect(ask('a', 'a5')).toBeNull()
})

test('a task that stops waiting never begins, and its place goes to the next waiting task', () => {
  const queues = openQueues<string>()
  const begun: string[] = []
  const ask = (name: string) => queues.ask('a', 1, () => begun.push(name))

  ask('first')
  const stopWaiting = ask('second')
  ask('third')
  stopWaiting?.()
  queues.end('a')

  expect(begun).toEqual(['first', 'third'])
})
