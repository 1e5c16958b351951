import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { batch } from '../../src/database/batch.ts'
import { countKept } from '../support/garbage.ts'

/**
 * Returns a batch function for the tests. `batches` lists the questions of each statement, and `end` ends a statement.
 */
function statements() {
  const batches: number[][] = []
  const ends: ((fault?: Error) => void)[] = []
  const ask = batch((questions: readonly number[]) => {
    batches.push([...questions])
    return new Promise<string[]>((resolve, reject) => {
      ends.push(fault => (fault ? reject(fault) : resolve(questions.map(question => `answer ${question}`))))
    })
  })
  return { ask, batches, end: (index: number, fault?: Error) => ends[index]?.(fault) }
}

// Timeouts elapse only when the test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const aTurn = () => new Promise(resolve => setImmediate(resolve))
/** Waits for more turns of the event loop than a batch waits for further questions, however long each turn takes. */
async function aMoment(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await aTurn()
}

it('a query that is asked alone is sent alone, and queries that are asked at the same moment are sent together', async () => {
  const { ask, batches, end } = statements()
  const alone = ask(1)
  await aMoment()
  const together = [ask(2), ask(3)]
  await aMoment()

  expect(batches).toEqual([[1], [2, 3]])
  end(1)
  end(0)
  expect(await Promise.all([alone, ...together])).toEqual(['answer 1', 'answer 2', 'answer 3'])
})

it('a batch waits some turns of the event loop for more queries, unless the batch already has four queries', async () => {
  const { ask, batches } = statements()
  void ask(1)
  await aTurn()
  void ask(2)
  await aMoment()
  expect(batches).toEqual([[1, 2]])

  for (const question of [3, 4, 5, 6]) void ask(question)
  await aTurn()
  await aTurn()
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5, 6],
  ])
})

it('each of three successive batches waits with three queries, and is sent as soon as a fourth query arrives', async () => {
  const { ask, batches, end } = statements()

  for (const [index, first] of [0, 4, 8].entries()) {
    for (const more of [0, 1, 2]) void ask(first + more)
    await aTurn()
    await aTurn()
    expect(batches).toHaveLength(index)
    void ask(first + 3)
    await aTurn()
    await aTurn()
    expect(batches[index]).toEqual([first, first + 1, first + 2, first + 3])
    end(index)
  }
})

it('a batch has at most a hundred queries', async () => {
  const { ask, batches, end } = statements()

  const answers = Array.from({ length: 230 }, (_, question) => ask(question))
  await aMoment()
  end(0)
  await aMoment()
  end(1)
  end(2)

  expect(batches.map(({ length }) => length)).toEqual([100, 100, 30])
  expect(await Promise.all(answers)).toEqual(batches.flat().map(question => `answer ${question}`))
})

it('the end of a statement starts only one new statement, even if more queries wait than one statement can hold', async () => {
  const { ask, batches, end } = statements()
  for (const question of [1, 2]) {
    void ask(question)
    await aMoment()
  }
  for (let question = 3; question < 250; question++) void ask(question)
  await aMoment()
  expect(batches).toHaveLength(2)

  end(0)
  await aMoment()

  expect(batches).toHaveLength(3)
})

it('queries that arrive while two statements are in progress share the next statement', async () => {
  const { ask, batches, end } = statements()
  const answers = []
  for (const question of [1, 2, 3, 4]) {
    answers.push(ask(question))
    await aMoment()
  }

  expect(batches).toEqual([[1], [2]])
  end(0)
  await aMoment()
  expect(batches).toEqual([[1], [2], [3, 4]])
  end(1)
  end(2)
  expect(await Promise.all(answers)).toEqual(['answer 1', 'answer 2', 'answer 3', 'answer 4'])
})

it('queries do not wait long for statements that hang', async () => {
  const { ask, batches, end } = statements()
  void ask(1)
  await aMoment()
  void ask(2)
  await aMoment()
  const held = ask(3)
  await aMoment()
  expect(batches).toEqual([[1], [2]])

  vi.advanceTimersByTime(50)
  expect(batches).toEqual([[1], [2], [3]])
  end(2)
  expect(await held).toBe('answer 3')
})

it('batches continue after failed statements', async () => {
  const { ask, batches, end } = statements()
  for (const round of [0, 1, 2]) {
    const failing = ask(round)
    await aMoment()
    end(round, new Error('no'))
    await expect(failing).rejects.toThrow('no')
  }

  // The clock stands still, so no timeout elapses.
  const fine = ask(3)
  await aMoment()
  expect(batches).toEqual([[0], [1], [2], [3]])
  end(3)
  expect(await fine).toBe('answer 3')
})

it('a failed statement fails only the queries of its own batch', async () => {
  const { ask, end } = statements()
  const failing = [ask(1), ask(2)]
  await aMoment()
  const fine = ask(3)
  await aMoment()
  end(0, new Error('no'))
  end(1)

  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await fine).toBe('answer 3')
})

it('answered queries can be garbage-collected', async () => {
  const ask = batch(async (questions: readonly object[]) => [...questions])
  const batches = async () => new WeakRef(await ask({}))
  const refs = await Promise.all(Array.from({ length: 50 }, batches))
  // DataLoader keeps a reference to the last batch until the next batch runs, so run one more batch before the garbage
  // collection.
  await ask({})
  await aMoment()

  expect(await countKept(refs)).toBeLessThan(5)
})
