/** Warn this long before a key expires. */
export const warnedBeforeMs = 14 * 24 * 60 * 60 * 1000
