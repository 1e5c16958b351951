import type { Configuration, UserInfoResponse } from 'openid-client'
import { type IssuerIdentity, validatePersonName } from '../../core/people/people.ts'
import type { Tools } from '../../tools.ts'
import { loadClient } from './issuer.ts'

/** Why a sign-in at the identity provider failed; the sign-in page has a sentence for each. */
export class SignInRefused extends Error {
  readonly reason: 'expired' | 'refused' | 'stranger' | 'not_admitted'
  constructor(reason: SignInRefused['reason']) {
    super(reason)
    this.reason = reason
  }
}

export type Identified = {
  identity: IssuerIdentity
  name: string
  /** Null unless the issuer says that the address is verified. */
  email: string | null
}

type Expected = { verifier: string; state: string; nonce: string }

/**
 * Exchanges the code of the issuer's answer for the issuer's data about the person. The library checks state, nonce,
 * PKCE, issuer, audience and times. It does not check the signature, because the token comes from the issuer itself
 * (OpenID Connect Core, 3.1.3.7, item 6).
 */
export async function identifyAtIssuer(
  { log }: Pick<Tools, 'log'>,
  configuration: Configuration,
  answer: URL,
  { verifier, state, nonce }: Expected,
): Promise<Identified> {
  const client = await loadClient()
  try {
    const tokens = await client.authorizationCodeGrant(configuration, answer, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new SignInRefused('refused')
    // Many issuers give name and address only at their userinfo endpoint (OpenID Connect Core, 5.4).
    const more: Partial<UserInfoResponse> = configuration.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {}
    const said = { ...claims, ...more }
    const identity = { issuer: claims.iss, subject: claims.sub }
    return { identity, name: nameIn(said), email: verifiedAddress('email' in more ? more : claims) }
  } catch (error) {
    if (error instanceof SignInRefused) throw error
    // Do not log the error itself: it may hold the answer with the person's data.
    const { code, error: said } = error as { code?: string; error?: string }
    log.warn({ code, said }, 'a sign-in at the identity provider was refused')
    throw new SignInRefused('refused')
  }
}

/** Reads the address and `email_verified` from one answer: in two answers they could be about two addresses. */
function verifiedAddress(said: Readonly<Record<string, unknown>>): string | null {
  return typeof said.email === 'string' && said.email_verified === true ? said.email : null
}

/** Returns the person's name. Skips e-mail addresses, which other members need not know. */
function nameIn({ name, preferred_username }: { name?: unknown; preferred_username?: unknown }): string {
  const given = [name, preferred_username].filter(text => typeof text === 'string' && !text.includes('@'))
  const usable = given.map(text => validatePersonName(String(text).slice(0, 100))).find(({ fault }) => !fault)
  return usable?.text ?? 'A new member'
}
