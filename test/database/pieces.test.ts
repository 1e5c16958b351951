import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { noteWork, runFor } from '../../src/database/owner.ts'
import { givingWay, runPiece, runPieceInTurn } from '../../src/database/pieces.ts'

const pieceMs = 30

/**
 * Runs a piece of work of project 1. During the piece, a request of each project in `projects` begins. Returns whether
 * a timer could run in the pause after the piece.
 */
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
  // The previous test file may have run in this process and served a request. The project of the request still counts
  // as at work for a short time, so wait until no project counts as at work.
  await pause(300)
  expect(await restsAfter(1)).toBe(false)
  expect(await restsAfter(2)).toBe(true)
  expect(await restsAfter(2, 1)).toBe(true)
})

test('a piece of long work returns its result and throws its error', async () => {
  expect(await runPiece(1, async () => 7)).toBe(7)
  await expect(runPiece(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('while other projects send requests, a long import or export pauses longer after a piece if preparing the piece took longer', async () => {
  const beganAt = performance.now()

  await runPiece(1, async () => noteWork(2), 20)

  expect(performance.now() - beganAt).toBeGreaterThan(38)
})

test('pieces of one project run one after another, and pieces of two projects run concurrently', async () => {
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

test('a piece of an import in a transaction does not wait for a running piece of an export of the same project', async () => {
  const order: string[] = []
  const exported = runPieceInTurn(1, async () => {
    await pause(20)
    order.push('export')
  })
  await runPiece(1, async () => order.push('import'))
  await exported

  expect(order).toEqual(['import', 'export'])
})

/** Spends 6 ms on reading a part of a body of project 1. If `others` is true, a request of project 2 begins first. */
function takePart(others: boolean): void {
  if (others) noteWork(2)
  for (const endsAt = performance.now() + 6; performance.now() < endsAt; );
}

test('while other projects send requests, a long body is read in parts, and other work runs in between', async () => {
  const body = Buffer.from(Array.from({ length: 50_000 }, (_, i) => i % 251))
  const parts: Buffer[] = []
  const partsBefore: number[] = []
  const timer = setInterval(() => partsBefore.push(parts.length), 1)

  await givingWay(1)(body, part => {
    takePart(true)
    parts.push(part)
  })
  clearInterval(timer)

  expect(parts.map(({ length }) => length)).toEqual([16_384, 16_384, 16_384, 848])
  expect(Buffer.concat(parts).equals(body)).toBe(true)
  expect(partsBefore).toEqual(expect.arrayContaining([1, 2, 3]))
})

test('a body is read without a pause if no other project sends requests or the parts take no time', async () => {
  const [alone, beside] = [givingWay(1), givingWay(1)]
  await pause(300)
  expect(alone(Buffer.alloc(50_000), () => takePart(false))).toBeUndefined()

  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  noteWork(2)
  for (let i = 0; i < 100; i++) expect(beside(Buffer.alloc(1), () => {})).toBeUndefined()
})

test('an error that a part of a body throws after a pause reaches the reader of the body', async () => {
  let parts = 0
  const reading = givingWay(1)(Buffer.alloc(50_000), () => {
    takePart(true)
    if (++parts === 3) throw new Error('faulty')
  })

  await expect(reading).rejects.toThrow('faulty')
})
