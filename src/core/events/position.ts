/**
 * The position of an event in its project's log. The era changes when the database goes back in time, for example by a
 * restore. Therefore two events with the same number still have different positions.
 */
export type EventPosition = { era: number; number: bigint }

/** The id of an event: its era in hexadecimal and its number. */
export const eventId = ({ era, number }: EventPosition) =>
  `${(era >>> 0).toString(16).padStart(8, '0')}-${number}`

/** The position before a project's first event, where a stream of an empty log begins. No event has this id. */
export const logStart: EventPosition = { era: 0, number: 0n }

export const isLogStart = ({ number }: EventPosition) => number === 0n

/** Parses the position after which to read: the id of an event, or the id of the log's start. */
export const parsePlace = (text: string): EventPosition | null =>
  text === eventId(logStart) ? logStart : parseEventId(text)

/** Parses an event's id; null if it is invalid. */
export function parseEventId(text: string): EventPosition | null {
  const [, era, number] = /^([0-9a-f]{8})-([1-9]\d{0,17})$/.exec(text) ?? []
  return era && number ? { era: Number.parseInt(era, 16) | 0, number: BigInt(number) } : null
}
