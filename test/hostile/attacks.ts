import type { Attack } from './attack.ts'
import { connectionAttacks } from './connection-attacks.ts'
import { eventAttacks } from './event-attacks.ts'
import { graphqlAttacks } from './graphql-attacks.ts'
import { keyAttacks } from './key-attacks.ts'
import { mcpAttacks } from './mcp-attacks.ts'
import { sessionAttacks } from './session-attacks.ts'
import { strangerAttacks } from './stranger-attacks.ts'

export const attacks: readonly Attack[] = [
  ...strangerAttacks,
  ...connectionAttacks,
  ...graphqlAttacks,
  ...keyAttacks,
  ...mcpAttacks,
  ...eventAttacks,
  ...sessionAttacks,
]
