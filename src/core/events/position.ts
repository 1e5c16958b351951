/**
 * The place of an event in its project's log. The era changes when the database goes back in time, as by a restore, so
 * a number that is given twice makes two positions.
 */
export type EventPosition = { era: number; number: bigint }

/** The id of an event: its era in hexadecimal and its number. */
export const eventId = ({ era, number }: EventPosition) =>
  `${(era >>> 0).toString(16).padStart(8, '0')}-${number}`

/** Parses an event's id; null if it is invalid. */
export function parseEventId(text: string): EventPosition | null {
  const [, era, number] = /^([0-9a-f]{8})-([1-9]\d{0,17})$/.exec(text) ?? []
  return era && number ? { era: Number.parseInt(era, 16) | 0, number: BigInt(number) } : null
}
