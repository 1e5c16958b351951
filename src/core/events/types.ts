/** Every type of event, a closed list: openapi.yaml has the schema and an example of each. */
export const eventTypes = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'pets.created',
  'pets.replaced',
  'order.placed',
  'order.approved',
  'order.delivered',
  'order.cancelled',
  'order.updated',
  'order.deleted',
  'category.named',
  'category.removed',
] as const
export type EventType = (typeof eventTypes)[number]

export const isEventType = (text: string): text is EventType => eventTypes.some(type => type === text)
