import DataLoader from 'dataloader'

export type Loader<Key, Value> = Pick<DataLoader<Key, Value>, 'load'>

/** Makes a loader on its first use, because an operation needs few of them. */
export function openLoader<Key, Value, Kept = Key>(
  read: DataLoader.BatchLoadFn<Key, Value>,
  options?: DataLoader.Options<Key, Value, Kept>,
): Loader<Key, Value> {
  let made: DataLoader<Key, Value, Kept> | undefined
  return {
    load(key) {
      made ??= new DataLoader(read, options)
      return made.load(key)
    },
  }
}
