import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runFor } from '../../src/database/owner.ts'
import { runPiece, runPieceInTurn } from '../../src/database/pieces.ts'

const pieceMs = 30

/** Runs a piece of project 1, in which requests of these projects begin, and returns whether a timer ran in the rest after it. */
async function restsAfter(...projects: number[]): Promise<boolean> {
  let hasRested = false
  await runPiece(1, async () => {
    await pause(pieceMs)
    for (const project of projects) runFor(project, () => {})
    setTimeout(() => {
      hasRested = true
    }, pieceMs)
  })
  return hasRested
}

test('a long import or export pauses after a piece only while other projects send requests', async () => {
  // The test file before, in the same process, may just have served a request of a project.
  await pause(300)
  expect(await restsAfter(1)).toBe(false)
  expect(await restsAfter(2)).toBe(true)
  expect(await restsAfter(2, 1)).toBe(true)
})

test('a piece returns its result, and passes on its error', async () => {
  expect(await runPiece(1, async () => 7)).toBe(7)
  await expect(runPiece(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('pieces of one project run one after the other, those of two projects side by side', async () => {
  const order: string[] = []
  const piece = (owner: number, name: string) =>
    runPieceInTurn(owner, async () => {
      order.push(`${name} begins`)
      await pause(5)
      order.push(`${name} ends`)
    })
  await Promise.all([piece(1, 'first'), piece(1, 'second'), piece(2, 'other')])

  expect(order.indexOf('second begins')).toBeGreaterThan(order.indexOf('first ends'))
  expect(order.indexOf('other begins')).toBeLessThan(order.indexOf('first ends'))
})

test('a piece inside a transaction does not wait for the pieces of an export', async () => {
  const order: string[] = []
  const exported = runPieceInTurn(1, async () => {
    await pause(20)
    order.push('export')
  })
  await runPiece(1, async () => order.push('import'))
  await exported

  expect(order).toEqual(['import', 'export'])
})
