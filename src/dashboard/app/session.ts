import { createContext, use } from 'react'
import type { Scope } from '../generated/graphql.ts'

const place = 'animal-store.key'

/** The key lives in tabs alone: each hands it to those that open (hand-over.ts), and once all are closed it is forgotten. */
export const rememberedKey = (): string | null => sessionStorage.getItem(place)
export const rememberKey = (key: string): void => sessionStorage.setItem(place, key)
export const forgetKey = (): void => sessionStorage.removeItem(place)

export type Session = {
  key: string
  operator: boolean
  scopes: readonly Scope[]
  keyPrefix: string | null
  projectSlug: string | null
  signOut(): void
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('There is no session outside of SessionContext.')
  return session
}

export const scopeName = (scope: Scope) => scope.replace('_', ':')

/** The scope if the key lacks it; operators are not bound by scopes. */
export function useMissing(scope: Scope): string | null {
  const { operator, scopes } = useSession()
  return operator || scopes.includes(scope) ? null : scopeName(scope)
}
