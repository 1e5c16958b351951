import DataLoader from 'dataloader'

export type Loader<Key, Value> = Pick<DataLoader<Key, Value>, 'load'>

/** Makes a loader on its first use, because an operation needs few of them. */
export function openLoader<Key, Value, CacheKey = Key>(
  read: DataLoader.BatchLoadFn<Key, Value>,
  options?: DataLoader.Options<Key, Value, CacheKey>,
): Loader<Key, Value> {
  let made: DataLoader<Key, Value, CacheKey> | undefined
  return {
    load(key) {
      made ??= new DataLoader(read, options)
      return made.load(key)
    },
  }
}
