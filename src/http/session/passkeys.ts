import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { invalidInput, StoreError } from '../../core/errors.ts'
import { openChallenges } from '../../core/people/challenges.ts'
import { requireRightToAddPasskey } from '../../core/people/operators.ts'
import { addPasskey, findPasskey, listPasskeys, notePasskeyUse } from '../../core/people/passkeys.ts'
import { findPerson } from '../../core/people/people.ts'
import { validateText } from '../../core/text.ts'
import type { Tools } from '../../tools.ts'
import { chargeAddress, requirePerson, type Step, signIn } from './step.ts'

/** Loaded after the start on PostgreSQL, otherwise at the first use: loading takes 0.4 s of CPU and 15 MB. */
export const loadPasskeys = () => import('@simplewebauthn/server')

/**
 * The steps to add a passkey and to sign in with a passkey. A passkey works only at the host name of the page on which
 * the person added the passkey (WebAuthn, 5.1.3). The passkey itself tells who signs in, so the person types no name.
 * The authenticator must verify the person, for example by a PIN or a fingerprint.
 */
export function passkeySteps(tools: Tools): Record<string, Step> {
  const { db, clock } = tools
  const challenges = openChallenges(db, clock)
  return {
    async '/passkey/options'({ request, response, origin }) {
      await chargeAddress(tools, request, response)
      const { generateAuthenticationOptions } = await loadPasskeys()
      return generateAuthenticationOptions({
        rpID: origin.hostname,
        challenge: new Uint8Array(await challenges.make('passkey to sign in')),
        userVerification: 'required',
      })
    },

    async '/passkey'(call) {
      const { request, response, origin, body } = call
      await chargeAddress(tools, request, response)
      const answer = body.response as AuthenticationResponseJSON
      const challenge = challengeIn(answer)
      const taken = challenge && (await challenges.take('passkey to sign in', challenge))
      const passkey = taken && typeof answer?.id === 'string' ? await findPasskey(db, answer.id) : null
      if (!challenge || !passkey) throw refused()
      const { verifyAuthenticationResponse } = await loadPasskeys()
      const verified = await verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: challenge,
        expectedOrigin: origin.origin,
        expectedRPID: origin.hostname,
        requireUserVerification: true,
        credential: {
          id: passkey.id,
          publicKey: new Uint8Array(passkey.publicKey),
          counter: Number(passkey.counter),
        },
      }).catch(() => null)
      if (!verified?.verified || !isOf(answer, passkey.personId)) throw refused()
      await notePasskeyUse(db, clock, passkey.id, verified.authenticationInfo.newCounter)
      response.locals.person = passkey.personId
      await signIn(tools, call, passkey.personId, { byPasskey: true })
      return {}
    },

    async '/passkeys/options'(call) {
      const { id: personId, sessionId } = await requirePerson(tools, call)
      await requireRightToAddPasskey(db, sessionId)
      const [{ generateRegistrationOptions }, person] = await Promise.all([
        loadPasskeys(),
        findPerson(db, personId),
      ])
      const known = await listPasskeys(db, personId)
      return generateRegistrationOptions({
        rpName: 'Animal Store',
        rpID: call.origin.hostname,
        userName: person.name,
        userDisplayName: person.name,
        userID: new Uint8Array(Buffer.from(personId)),
        challenge: new Uint8Array(await challenges.make('passkey to add', personId)),
        excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestationType: 'none',
      })
    },

    async '/passkeys'(call) {
      const person = await requirePerson(tools, call)
      // Refuse before the challenge is used up.
      await requireRightToAddPasskey(db, person.sessionId)
      const { origin, body } = call
      const name = validateText('name', body.name, 100)
      if (name.fault) throw invalidInput([name.fault])
      const answer = body.response as RegistrationResponseJSON
      const challenge = challengeIn(answer)
      const taken = challenge && (await challenges.take('passkey to add', challenge))
      if (!taken || taken.personId !== person.id) throw refused()
      const { verifyRegistrationResponse } = await loadPasskeys()
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: answer,
        expectedChallenge: challenge,
        expectedOrigin: origin.origin,
        expectedRPID: origin.hostname,
        requireUserVerification: true,
      }).catch(() => ({ verified: false, registrationInfo: undefined }))
      if (!verified || !registrationInfo) throw refused()
      const { id, publicKey, counter, transports } = registrationInfo.credential
      if (await findPasskey(db, id)) throw refused()
      await addPasskey(db, clock, person, {
        ...{ id, transports: knownIn(transports), name: name.text },
        publicKey: new Uint8Array(publicKey),
        counter: BigInt(counter),
      })
      return {}
    },
  }
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** The authenticator does not sign the transports, so a page may send anything. Keep those of WebAuthn. */
const knownIn = (transports: unknown) =>
  knownTransports.filter(name => Array.isArray(transports) && transports.includes(name))

/**
 * Reads the challenge that an authenticator has signed; null if the answer is malformed. Does not use the library's
 * `decodeClientDataJSON`, because then even an invented answer would load the library.
 */
function challengeIn(answer: { response?: { clientDataJSON?: unknown } } | undefined) {
  const signed = answer?.response?.clientDataJSON
  if (typeof signed !== 'string') return null
  try {
    const { challenge } = JSON.parse(Buffer.from(signed, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/** True if the authenticator names this person (WebAuthn, 7.2, step 6). */
function isOf({ response }: AuthenticationResponseJSON, personId: string): boolean {
  return Buffer.from(response.userHandle ?? '', 'base64url').toString() === personId
}

/** One message for all reasons, so that it does not reveal which passkeys exist. */
const refused = () => new StoreError('unauthorized', 'This passkey was not accepted. Try again.')
