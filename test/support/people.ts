import type { Role } from '../../src/core/keys/roles.ts'
import { invite } from '../../src/core/people/invitations.ts'
import { acceptInvitation } from '../../src/core/people/joining.ts'
import type { Project } from '../../src/core/project.ts'
import type { Tools } from '../../src/tools.ts'
import { type Answer, ask, type Question } from './ask.ts'

/**
 * A browser that has a dashboard page of the service open. The browser keeps the session's cookie and sends the origin
 * of the service.
 */
export type TestBrowser = {
  /** The cookie as the browser sends it; null if there is none. */
  cookie(): string | null
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Goes to an address of the service from another site, as a link or a redirect does. */
  visit(address: string): Promise<Answer>
  /** Gets a bearer token for a project. */
  token(project?: string): Promise<string>
}

export function openBrowser(url: string): TestBrowser {
  const jar = new Map<string, string>()
  const cookie = () => (jar.size > 0 ? [...jar].map(pair => pair.join('=')).join('; ') : null)
  const keep = ({ headers }: Answer) => {
    for (const set of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/Max-Age=0/.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
  }
  const post: TestBrowser['post'] = async (path, body = {}, headers = {}) => {
    const sent = cookie()
    const answer = await ask(url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: url,
        'sec-fetch-site': 'same-origin',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ...(sent && { cookie: sent }),
        ...headers,
      },
      body: JSON.stringify(body),
    })
    keep(answer)
    return answer
  }
  return {
    cookie,
    post,
    async visit(address) {
      const sent = cookie()
      const answer = await ask(address, {
        headers: { 'sec-fetch-site': 'cross-site', ...(sent && { cookie: sent }) },
      })
      keep(answer)
      return answer
    },
    async token(project) {
      const answer = await post('/session/token', { project })
      return (answer.json as { token: string }).token
    },
  }
}

/** Makes a member through an invitation. */
export async function join(
  { db, clock }: Tools,
  project: Project,
  role: Role,
  who: { name: string } | { personId: string } = { name: `A ${role}` },
): Promise<string> {
  const { secret } = await invite(db, clock, project, { role, invitedBy: null })
  return (await acceptInvitation(db, clock, secret, who)).personId
}

export type SignedIn = TestBrowser & {
  personId: string
  ask(path: string, question?: Question): Promise<Answer>
}

/** Makes a member who is signed in, in a browser of the member's own. */
export async function signedIn(
  tools: Tools,
  url: string,
  project: Project,
  role: Role,
  name = `A ${role}`,
): Promise<SignedIn> {
  const browser = openBrowser(url)
  const { secret } = await invite(tools.db, tools.clock, project, { role, invitedBy: null })
  const answer = await browser.post('/session/invitation', { secret, name })
  if (answer.status !== 200) throw new Error(`The invitation was refused: ${answer.text}`)
  const token = await browser.token(project.slug)
  const caller = await tools.callers.find(token)
  return {
    ...browser,
    personId: caller?.person?.id ?? '',
    ask: (path, { headers, ...question } = {}) =>
      ask(url + path, { ...question, headers: { authorization: `Bearer ${token}`, ...headers } }),
  }
}
