/** How long before its end a key is spoken of, so that nobody learns of it by refusals. */
export const warnedBeforeMs = 14 * 24 * 60 * 60 * 1000
