import { t } from '../texts/pages.ts'
import { postSession, SessionError } from './person.ts'

/** Signs in with a passkey of this browser or of a phone. */
export async function signInByPasskey(): Promise<void> {
  const options = await postSession<PublicKeyCredentialRequestOptionsJSON>('/passkey/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey }).catch(refused)
  await postSession('/passkey', { response: (credential as PublicKeyCredential).toJSON() })
}

/** Adds a passkey to the signed-in person. */
export async function addPasskey(name: string, bearer: string): Promise<void> {
  const options = await postSession<PublicKeyCredentialCreationOptionsJSON>('/passkeys/options', {}, bearer)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey }).catch(refused)
  await postSession('/passkeys', { name, response: (credential as PublicKeyCredential).toJSON() }, bearer)
}

function refused(error: unknown): never {
  const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
  throw new SessionError(
    'passkey',
    isKnown ? t.signIn.thisDeviceHasPasskeyOf : t.signIn.browserGaveNoPasskeyTry,
  )
}
