import type { Page } from 'playwright-core'

/** A script for a page of the service: calls the routes of /session as the dashboard does. */
export const sessionCalls = `
  window.post = async (path, body = {}, token) => {
    const answer = await fetch('/session' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) },
      body: JSON.stringify(body),
    })
    return { status: answer.status, json: await answer.json() }
  }
  window.token = async () => (await post('/token')).json.token
  window.make = async () => {
    const { json } = await post('/passkeys/options', {}, await token())
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
    return (await navigator.credentials.create({ publicKey })).toJSON()
  }
  window.sign = async change => {
    const { json } = await post('/passkey/options')
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ ...json, ...change })
    return (await navigator.credentials.get({ publicKey })).toJSON()
  }`

/** Gives the page an authenticator that stores passkeys and answers at once. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  })
}
