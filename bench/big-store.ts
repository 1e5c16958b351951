// Measures a store of ten million pets beside one of a hundred thousand: lists by every filter, and the inventory.
import { contestants } from './contestants.ts'
import { withClient } from './database.ts'
import { download } from './download.ts'
import { explainLists } from './explain.ts'
import { type Ground, layGround } from './ground.ts'
import { measure } from './measure.ts'
import type { Options } from './options.ts'
import type { Filters, Question, Size } from './questions.ts'
import { type Running, startContestant } from './start-contestant.ts'
import { somewhere, type Work } from './works.ts'

export type BigStore = { small: Ground; big: Ground }

export type BigStoreFound = {
  /** Each round's p99, in microseconds. */
  small: number[]
  big: number[]
  plans: ReturnType<typeof explainLists> extends Promise<infer Plans> ? Plans : never
  exports: Export[]
}
type Export = { contestant: string; perSecond: number; peakMegabytes: number }

const exported = 1_000_000

export async function openBigStore(): Promise<BigStore> {
  const [small, big] = await Promise.all([
    layGround({ pets: 100_000, projects: 1 }),
    layGround({ pets: 10_000_000, projects: 1 }),
  ])
  return { small, big }
}

const both = { status: 'sold', category: 7 }
export const shapes: readonly Filters[] = [
  {},
  { status: 'available' },
  { category: 5 },
  both,
  { newestFirst: true },
  { newestFirst: true, status: 'pending' },
  { newestFirst: true, category: 11 },
  { newestFirst: true, ...both },
]

/** Requests every list in turn, each from a varying position in the store, and then the inventory. */
const everyList: Work = {
  title: 'Lists by every filter',
  contestants: ['ours'],
  reference: 'ours',
  status: 200,
  unique: true,
  steadiness: 'steady',
  ask(n: number, size: Size): Question {
    const turn = n % (shapes.length + 1)
    const shape = shapes[turn]
    return shape
      ? somewhere(() => shape)(Math.floor(n / (shapes.length + 1)), size)
      : { act: 'inventory', project: 1 }
  },
}

export async function measureBigStore({ small, big }: BigStore, options: Options): Promise<BigStoreFound> {
  const plans = await explainLists(big.databaseUrl, big.keys.project(1), big.size.pets / 2)
  const [us, book] = ['ours', 'by the book'].map(name => contestants.find(each => each.name === name))
  if (!us || !book) throw new Error('A contestant is missing.')
  const found: Record<'small' | 'big', number[]> = { small: [], big: [] }
  const sides = [
    { name: 'small' as const, ground: small, contestant: await startContestant(us, small), sent: 0 },
    { name: 'big' as const, ground: big, contestant: await startContestant(us, big), sent: 0 },
  ]
  // The first round only warms up.
  for (let round = 0; round <= options.pace.rounds; round++) {
    for (const side of sides) {
      const { cell, sent } = await measure(everyList, side.contestant, side.ground, options.pace, side.sent)
      side.sent += sent
      if (round > 0) found[side.name].push(cell.p99)
    }
  }
  const exports: Export[] = []
  for (const side of sides) await side.contestant.stop()
  // Warm up first; otherwise the first contestant would read from disk and the others from memory.
  await withClient(big.databaseUrl, client =>
    client.query('select count(name) from pets where project_id = 1 and id <= $1', [exported]),
  )
  for (const contestant of [us, book])
    exports.push(await measureExport(await startContestant(contestant, big), big))
  await Promise.all([small.stop(), big.stop()])
  return { ...found, plans, exports }
}

/** Exports the first million pets of the store with a process that has just started. */
async function measureExport(contestant: Running, ground: Ground): Promise<Export> {
  const request = await contestant.dialect({ act: 'export', project: 1 }, ground.keys)
  const { seconds, peakMegabytes } = await download(contestant, request, exported)
  await contestant.stop()
  return { contestant: contestant.name, perSecond: exported / seconds, peakMegabytes }
}
