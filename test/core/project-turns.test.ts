import { expect, test } from 'vitest'
import { openProjectTurns } from '../../src/core/project-turns.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'

const db = {} as PrismaClient

test('two tasks of one project run at a time and further ones wait, while a task of another project runs at once', async () => {
  const inTurn = openProjectTurns(2)
  const running = new Set<string>()
  let most = 0
  const ends: (() => void)[] = []
  const start = (name: string, projectId: number) =>
    inTurn(db, projectId, async () => {
      running.add(name)
      most = Math.max(most, running.size)
      await new Promise<void>(resolve => ends.push(resolve))
      running.delete(name)
      return name
    })
  const all = ['a', 'b', 'c', 'd'].map(name => start(name, 1))
  const other = start('other', 2)
  await Promise.resolve()

  expect([...running].toSorted()).toEqual(['a', 'b', 'other'])
  while (running.size > 0) {
    ends.shift()?.()
    await new Promise(setImmediate)
  }

  expect(await Promise.all([...all, other])).toEqual(['a', 'b', 'c', 'd', 'other'])
  expect(most).toBe(3)
})

test('the next task of a project runs even after a task that failed', async () => {
  const inTurn = openProjectTurns(1)
  const failed = inTurn(db, 1, () => Promise.reject(new Error('no')))
  const next = inTurn(db, 1, async () => 'next')

  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('next')
  expect(await inTurn(db, 1, async () => 'later')).toBe('later')
})
