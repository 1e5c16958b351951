import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const callsAtOnce = 20

/**
 * Returns by how many bytes each call lets the old generation of the heap grow. Such memory stays until a full garbage
 * collection, which stalls the process. Between the calls only the young generation is collected.
 */
export async function oldBytesPerCall(calls: number, call: () => unknown): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void
  await run(calls)
  collect()
  const before = oldBytes()

  await run(calls)

  return (oldBytes() - before) / calls

  async function run(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      await call()
      if (n % callsAtOnce === 0) collect({ type: 'minor' })
    }
    // What survives two collections has moved to the old generation.
    collect({ type: 'minor' })
    collect({ type: 'minor' })
  }
}

function oldBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith('new_'))
  return spaces.reduce((bytes, { space_used_size }) => bytes + space_used_size, 0)
}
