export const scopes = [
  'pets:read',
  'pets:write',
  'orders:read',
  'orders:write',
  'events:read',
  'webhooks:write',
  'project:read',
  'project:write',
] as const
export type Scope = (typeof scopes)[number]
