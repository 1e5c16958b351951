/** Formats a series of items: a header, and one line per item. */
export type LineFormat<Item> = { type: string; head: string; line: (item: Item) => string }

export type FormatName = 'ndjson' | 'csv'
export type Formats<Item> = Record<FormatName, LineFormat<Item>>

export const ndjsonType = 'application/x-ndjson; charset=utf-8'
export const csvType = 'text/csv; charset=utf-8; header=present'
