/**
 * Limits the number of entries. The option `max` would allocate space for all of them at once, which a quiet process
 * never fills.
 */
export const maxEntries = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 })
