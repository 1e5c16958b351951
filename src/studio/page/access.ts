/** Authorizes Studio's requests. */
export type Access = { bearer(): Promise<string> }

const ownPlace = 'animal-store.operator-key'
/** The names under which the dashboard stores the key of the current tab, and a note that somebody is signed in. */
const dashboardPlace = 'animal-store.key'
const personPlace = 'animal-store.person'

/**
 * In milliseconds: renew a token that expires within this time, so that no token expires while a request with the token
 * is on its way.
 */
const marginMs = 60_000

/**
 * Finds credentials without asking for a key: a key of this tab, or else the session of a person who is an operator.
 */
export async function findAccess(): Promise<Access | null> {
  for (const place of [ownPlace, dashboardPlace]) {
    const key = sessionStorage.getItem(place)
    if (key !== null && (await isOperatorKey(key))) return withKey(key)
  }
  return localStorage.getItem(personPlace) === null ? null : withSession()
}

/** Takes a key that somebody types; null if it is no operator key. Throws if the service does not answer. */
export async function enterKey(key: string): Promise<Access | null> {
  if (!(await isOperatorKey(key))) return null
  sessionStorage.setItem(ownPlace, key)
  return withKey(key)
}

async function isOperatorKey(key: string): Promise<boolean> {
  // No header can carry these characters: fetch would throw.
  if (/[\u0100-\uffff]/.test(key)) return false
  const headers = { Authorization: `Bearer ${key}` }
  return (await fetch('/studio/key', { method: 'POST', headers })).ok
}

const withKey = (key: string): Access => ({ bearer: async () => key })

type Token = { token: string; expiresAt: string }

async function withSession(): Promise<Access | null> {
  let held = await getToken()
  if (!held) return null
  let { token, expiresAt } = held
  return {
    async bearer() {
      if (Date.parse(expiresAt) - Date.now() < marginMs) {
        held = await getToken()
        if (held) ({ token, expiresAt } = held)
      }
      return token
    },
  }
}

/** Returns null if nobody is signed in, or the person may not act as operator. */
async function getToken(): Promise<Token | null> {
  const answer = await fetch('/session/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ operator: true }),
  })
  return answer.ok ? answer.json() : null
}
