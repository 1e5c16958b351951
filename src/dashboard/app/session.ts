import { createContext, use } from 'react'
import type { Scope } from '../../generated/contract.ts'
import type { Credential } from './credential.ts'

const place = 'animal-store.key'

/** Only open tabs hold the key. A new tab gets it from an open one (hand-over.ts); closing the last tab forgets it. */
export const rememberedKey = (): string | null => sessionStorage.getItem(place)
export const rememberKey = (key: string): void => sessionStorage.setItem(place, key)
export const forgetKey = (): void => sessionStorage.removeItem(place)

export type Session = {
  key: Credential
  operator: boolean
  scopes: readonly Scope[]
  keyPrefix: string | null
  projectSlug: string | null
  signOut(): void
  /** Opens another project of the signed-in person. If the slug is `asOperator`, opens the service as a whole. */
  openProject(slug: string): void
  /** Opens the project that the person joined last. Call this after the person has left the open project. */
  openAnotherProject(): void
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('There is no session outside of SessionContext.')
  return session
}

export const scopeName = (scope: Scope) => scope.replace('_', ':')

/** Returns the scope if the key lacks it, or else null. An operator's key needs no scopes. */
export function useMissing(scope: Scope): string | null {
  const { operator, scopes } = useSession()
  return operator || scopes.includes(scope) ? null : scopeName(scope)
}
