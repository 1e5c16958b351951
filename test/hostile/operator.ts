import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from '../faults/client.ts'

type Limits = { requestsPerMinute: number; requestsPerDay: number }

/** Creates projects, pets and domains over GraphQL. */
export function openOperator(url: string, operatorKey: string) {
  const client = openClient(null)
  const send = async <Data>(secret: string, query: string, variables: object): Promise<Data> => {
    const { status, text } = await client.ask(`${url}/graphql`, {
      method: 'POST',
      body: { query, variables },
      headers: { authorization: `Bearer ${secret}` },
    })
    const { data, errors } = JSON.parse(text) as { data?: Data; errors?: unknown }
    if (!data || errors) throw new Error(`The scene could not be set: ${status} ${text}`)
    return data
  }

  return {
    async makeProject(plan: string, limits?: Limits) {
      const slug = `shop-${randomUUID().slice(0, 8)}`
      const query = 'mutation ($input: NewProject!) { createProject(input: $input) { owner { secret } } }'
      type Made = { createProject: { owner: { secret: string } } }
      const made = await send<Made>(operatorKey, query, { input: { slug, plan, ...(limits && { limits }) } })
      return { slug, secret: made.createProject.owner.secret }
    },
    /**
     * Resets the project's budget of the minute. Otherwise, after a large attack, the next attacks would only be
     * refused.
     */
    async resetLimits(slug: string) {
      const input = { id: `project_${slug}` }
      const query =
        'mutation ($input: ProjectResetRateLimitInput!) { projectResetRateLimit(input: $input) { project { id } } }'
      // An old revision lacks this mutation.
      await send(operatorKey, query, { input }).catch(() => null)
    },
    async issueKey(secret: string, scopes: string[]) {
      const query = 'mutation ($input: NewApiKey!) { issueApiKey(input: $input) { secret } }'
      type Issued = { issueApiKey: { secret: string } }
      const issued = await send<Issued>(secret, query, { input: { name: 'narrow', scopes } })
      return issued.issueApiKey.secret
    },
    /**
     * Deploys the project and waits until its new domain is live with a certificate. Then adds a pet and returns its
     * id.
     */
    async giveDomain(secret: string, name: string): Promise<number> {
      await send(secret, 'mutation { deploy(input: {}) { id } }', {})
      const add = 'mutation ($input: NewDomain!) { addDomain(input: $input) { domain { id } } }'
      type Added = { addDomain: { domain: { id: string } } }
      const { id } = (await send<Added>(secret, add, { input: { name } })).addDomain.domain
      await send(secret, 'mutation ($id: ID!) { verifyDomain(id: $id) { id } }', { id })
      const state = 'query { domains(first: 1) { nodes { host certificate } } }'
      type State = { domains: { nodes: { host: string; certificate: string }[] } }
      for (const giveUpAt = performance.now() + 60_000; ; await pause(200)) {
        const [found] = (await send<State>(secret, state, {})).domains.nodes
        if (found?.certificate === 'issued') break
        if (performance.now() > giveUpAt)
          throw new Error(`${name} has no certificate: ${JSON.stringify(found)}`)
      }
      const create = 'mutation { createPet(input: { name: "victim-0", categoryId: 1 }) { id } }'
      return Number((await send<{ createPet: { id: string } }>(secret, create, {})).createPet.id)
    },
    /**
     * Signs in a new member of the key's project, and returns the secret of the member's session. Returns '' if the
     * invitation fails: old revisions of the service have no members.
     */
    async signIn(secret: string): Promise<string> {
      const query = 'mutation { memberInvite(input: { role: owner }) { url } }'
      type Invited = { memberInvite: { url: string } }
      const invited = await send<Invited>(secret, query, {}).catch(() => null)
      if (!invited) return ''
      const { headers } = await client.ask(`${url}/session/invitation`, {
        method: 'POST',
        body: { secret: /#(.*)$/.exec(invited.memberInvite.url)?.[1], name: 'A member' },
        headers: { host: 'localhost', origin: 'http://localhost' },
      })
      return /=([^;]*)/.exec(headers['set-cookie']?.[0] ?? '')?.[1] ?? ''
    },
    close: () => client.close(),
  }
}
