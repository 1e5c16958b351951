/**
 * Limits the number of entries of an LRUCache. The cache's own option `max` would at once allocate space for the
 * maximum number of entries, and a quiet process never needs so much space.
 */
export const maxEntries = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 })
