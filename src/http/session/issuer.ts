import type { Configuration } from 'openid-client'
import { StoreError } from '../../core/errors.ts'
import type { Tools } from '../../tools.ts'

/** Loaded at the first use: most services have no identity provider. */
export const loadClient = () => import('openid-client')

const keepMs = 60 * 60 * 1000
/** An issuer that does not answer must not hold a sign-in for long. */
const timeoutSeconds = 10

export type Issuer = {
  /** Returns the issuer's metadata and the client's settings. Throws `unavailable` if the issuer does not answer. */
  discover(): Promise<Configuration>
  /** Returns the page that ends the session at the issuer; null if the issuer has none or does not answer. */
  signOutUrl(origin: URL): Promise<string | null>
}

type Discovered = { configuration: Promise<Configuration>; secret: string | null; untilMs: number }

export function openIssuer({
  config: { oidc },
  clock,
  log,
}: Pick<Tools, 'config' | 'clock' | 'log'>): Issuer {
  let found: Discovered | null = null

  async function discover(): Promise<Configuration> {
    if (!oidc) throw new StoreError('not_found', 'This service has no identity provider.')
    // SIGHUP may have changed the secret.
    if (!found || found.secret !== oidc.clientSecret || found.untilMs <= clock.now())
      found = {
        configuration: fetchConfiguration(oidc),
        secret: oidc.clientSecret,
        untilMs: clock.now() + keepMs,
      }
    try {
      return await found.configuration
    } catch (error) {
      found = null
      log.warn(
        { error, issuer: oidc.issuer },
        'the configuration of the identity provider cannot be read: nobody can sign in with it',
      )
      throw new StoreError('unavailable', 'The identity provider does not answer. Try again in a moment.', {
        retryAfterSeconds: 5,
      })
    }
  }

  return {
    discover,
    async signOutUrl(origin) {
      const configuration = await discover().catch(() => null)
      if (!configuration?.serverMetadata().end_session_endpoint) return null
      const { buildEndSessionUrl } = await loadClient()
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${origin.origin}/dashboard/` })
        .href
    },
  }
}

async function fetchConfiguration(oidc: { issuer: string; clientId: string; clientSecret: string | null }) {
  const { allowInsecureRequests, discovery, None } = await loadClient()
  const issuer = new URL(oidc.issuer)
  return discovery(
    issuer,
    oidc.clientId,
    oidc.clientSecret ?? undefined,
    oidc.clientSecret === null ? None() : undefined,
    // The settings allow an issuer over http only on this machine.
    { timeout: timeoutSeconds, execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [] },
  )
}
