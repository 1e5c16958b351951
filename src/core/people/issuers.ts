/**
 * Returns the spellings in which a provider's issuer may be stored: as the settings have it, and with and without a slash
 * at its end. The settings may differ from the provider's own spelling, because openid-client accepts a missing slash,
 * upper case in the host, the default port, and the address of the provider's metadata.
 */
export function spellingsOf(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const [path = ''] = pathname.split('/.well-known/', 1)
  const bare = origin + path.replace(/\/$/, '')
  return [issuer, bare, `${bare}/`]
}

/**
 * Selects the people who have an account at the configured provider; no people if no provider is configured. Compares
 * only the origin, because the issuer of a provider for several tenants differs in its path.
 */
export function atProvider(issuer: string | null) {
  if (issuer === null) return { issuer: { in: [] } }
  const { origin } = new URL(issuer)
  return { OR: [{ issuer: origin }, { issuer: { startsWith: `${origin}/` } }] }
}
