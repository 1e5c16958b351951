const changed = new EventTarget()
const own = new Map<string, number>()
/** The events of a change arrive within this time after the answer to the mutation. */
const rememberedMs = 30_000

/** Notes which pets and orders a mutation of this tab changed, so that their events are not shown as changes by others. */
export function noteOwnChanges(data: unknown): void {
  for (const subject of own.keys()) if (!isOwnChange(subject)) own.delete(subject)
  for (const subject of subjectsIn(data)) own.set(subject, Date.now())
  changed.dispatchEvent(new Event('change'))
}

/** True if an event that arrives now, or arrived shortly before, is about a change of this tab. */
export const isOwnChange = (subject: string) => Date.now() - (own.get(subject) ?? 0) <= rememberedMs

/** Calls `listener` after each mutation of this tab. Returns a function that stops it. */
export function onOwnChange(listener: () => void): () => void {
  changed.addEventListener('change', listener)
  return () => changed.removeEventListener('change', listener)
}

/**
 * Finds the pets and orders in the answer of a mutation. Returns the subjects that events use for these pets and
 * orders, for example `pet:7`.
 */
export function subjectsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(subjectsIn)
  if (typeof value !== 'object' || value === null) return []
  const { __typename: type, id, petId, deletedId, updatedIds, deletedIds } = value as Record<string, unknown>
  const named = [
    type === 'Pet' && `pet:${id}`,
    type === 'Order' && `order:${String(id).replace('order_', '')}`,
    petId !== undefined && `pet:${petId}`,
    deletedId !== undefined && `pet:${deletedId}`,
    ...[updatedIds, deletedIds].flat().map(each => each !== undefined && `pet:${each}`),
  ].filter(each => typeof each === 'string')
  return [...named, ...Object.values(value).flatMap(subjectsIn)]
}
