import { randomBytes } from 'node:crypto'
import type { Attack } from './attack.ts'
import type { Shot } from './hand.ts'

/** A secret of the right form that belongs to nobody. */
const guess = (prefix: string) => prefix + randomBytes(32).toString('base64url')
const own = { host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' }
const post = (path: string, body: object, headers: Record<string, string> = {}): Shot => ({
  path: `/session${path}`,
  body: JSON.stringify(body),
  headers: { ...own, ...headers },
})
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const guessUserCode = () => Array.from(randomBytes(8), byte => letters[byte % letters.length]).join('')
const form = (path: string, fields: Record<string, string>): Shot => ({
  path: `/session${path}`,
  body: new URLSearchParams(fields).toString(),
  headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
})
const cookie = (secret: string) => ({ cookie: `animal-store-session-80=${secret}` })
const fromAnywhere = (i: number) => `127.11.${(i >> 8) % 256}.${i % 256}`

/** Attacks on the sign-in of people. */
export const sessionAttacks: Attack[] = [
  {
    name: 'invitation-guesses',
    what: '200 guesses of an invitation a second, each from another address',
    by: 'nobody',
    run: hand =>
      hand.flood(
        200,
        i => post(i % 2 ? '/invitation' : '/invitation/show', { secret: guess('asi_'), name: 'x' }),
        fromAnywhere,
      ),
  },
  {
    name: 'passkey-guesses',
    what: '100 sign-ins a second with a passkey that nobody has, each from another address',
    by: 'nobody',
    run: hand =>
      hand.flood(
        100,
        () => {
          const data = { type: 'webauthn.get', challenge: guess(''), origin: own.origin }
          const clientDataJSON = Buffer.from(JSON.stringify(data)).toString('base64url')
          const response = { clientDataJSON, authenticatorData: guess(''), signature: guess('') }
          return post('/passkey', { response: { id: guess(''), type: 'public-key', response } })
        },
        fromAnywhere,
      ),
  },
  {
    name: 'session-guesses',
    what: '300 guesses of a session a second from one address',
    by: 'nobody',
    run: hand => hand.flood(300, () => post('/token', {}, cookie(guess('ass_')))),
  },
  {
    name: 'challenge-flood',
    what: '200 sign-ins a second that are begun and not ended, each from another address',
    by: 'nobody',
    run: hand => hand.flood(200, () => post('/passkey/options', {}), fromAnywhere),
  },
  {
    name: 'device-code-flood',
    what: '200 terminals a second that ask to sign in, each from another address',
    by: 'nobody',
    run: hand => hand.flood(200, () => form('/device', { machine: 'x' }), fromAnywhere),
    short: true,
  },
  {
    name: 'device-code-guesses',
    what: '200 polls a second for the key of a terminal, each with another wrong code from another address',
    by: 'nobody',
    run: hand =>
      hand.flood(
        200,
        () =>
          form('/device/token', {
            grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
            device_code: guess('asd_'),
          }),
        fromAnywhere,
      ),
  },
  {
    name: 'user-code-guesses',
    what: '200 guesses a second of the letters that a terminal shows',
    by: 'a person',
    async run(hand) {
      const { token } = JSON.parse(await hand.send(post('/token', {}, cookie(hand.place.session))))
      await hand.flood(200, () => ({ ...post('/device/show', { userCode: guessUserCode() }), key: token }))
    },
    short: true,
  },
  {
    name: 'session-flood',
    what: '200 tokens a second for one session, most of them past the budget',
    by: 'a person',
    run: hand => hand.flood(200, () => post('/token', {}, cookie(hand.place.session))),
  },
]
