import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major' | 'minor'; execution: 'async' }) => Promise<void>

/** In a process with a large heap, the answer of the latest call moves too. So this number is high. */
const callsAtOnce = 100

setFlagsFromString('--expose-gc')
const collect: Collect = runInNewContext('gc')

/** Collects all garbage. It does so in a task of its own, because an old value on the stack could keep an object. */
export const collectGarbage = () => collect({ type: 'major', execution: 'async' })

/**
 * Returns how many objects stay in memory. It collects several times, because a collection that began earlier keeps
 * what was then in use.
 */
export async function countKept(refs: readonly WeakRef<object>[]): Promise<number> {
  for (let time = 0; time < 5; time++) await collectGarbage()
  return refs.filter(ref => ref.deref()).length
}

const collectYoung = () => collect({ type: 'minor', execution: 'async' })

/**
 * Returns by how many bytes each call lets the old generation of the heap grow. Such memory stays until a full garbage
 * collection, which stalls the process. Between the calls only the young generation is collected.
 */
export async function oldBytesPerCall(calls: number, call: () => unknown): Promise<number> {
  await run(calls)
  await collectGarbage()
  const before = oldBytes()

  await run(calls)

  return (oldBytes() - before) / calls

  async function run(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await call()
      if (n % callsAtOnce === 0) await collectYoung()
    }
    // An object that survives two collections has moved to the old generation.
    await collectYoung()
    await collectYoung()
  }
}

function oldBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith('new_'))
  return spaces.reduce((bytes, { space_used_size }) => bytes + space_used_size, 0)
}
