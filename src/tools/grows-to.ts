/** So many entries at most. By `max` a cache would take the room of all of them at once, which a quiet process never fills. */
export const growsTo = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 })
