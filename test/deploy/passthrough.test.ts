import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDomain, verifyDomain } from '../../src/core/domains/domains.ts'
import { freshAddress } from '../support/ask.ts'
import {
  certificateState,
  makeDeployed,
  type Platform,
  refusalOf,
  startPlatform,
  until,
  type Visitor,
  visit,
} from '../support/hosting.ts'
import { canPassThrough, type Ports, passthroughs, startPassthrough } from '../support/passthrough.ts'

const name = 'www.passed-on.test'

let platform: Platform
let root: string

async function serveDomain(env: Record<string, string>): Promise<void> {
  platform = await startPlatform({ env: { HTTPS_REDIRECT: '0', ...env } })
  const { tools } = platform.first
  root = (await tools.hosting.authorities[0].root?.()) ?? ''
  const { project, target } = await makeDeployed(platform)
  platform.setRecords(`${name} CNAME ${target}`)
  await addDomain(tools.db, tools.hosting, project, { name })
  await verifyDomain(tools.db, tools.hosting, project, name)
  tools.jobs.wake('domains')
  await until(
    () => certificateState(platform.first, name),
    state => state === 'issued',
  )
}

/** Sends one request without a key from an address, and returns how many requests the address has left. */
async function remaining({ port, httpsPort }: Ports, scheme: 'http' | 'https', visitor: Visitor) {
  const secure = scheme === 'https'
  const { headers } = await visit(`${scheme}://${name}/v1/pets`, secure ? httpsPort : port, {
    ...visitor,
    ...(secure && { ca: root }),
  })
  return Number(headers['x-ratelimit-remaining'])
}

const claims = (claimed: string) => ({ 'x-forwarded-for': claimed })

describe.skipIf(!passthroughs.some(canPassThrough))(
  'behind a balancer that passes connections on without decrypting them',
  () => {
    beforeAll(() => serveDomain({ PROXY_PROTOCOL: '1', TRUST_PROXY: '1' }))
    afterAll(() => platform?.stop())

    for (const balancer of passthroughs) {
      it.skipIf(!canPassThrough(balancer)).each(['http', 'https'] as const)(
        `behind ${balancer}, each client is limited by its own address over %s, whatever address it claims`,
        async scheme => {
          const passed = await startPassthrough(balancer, platform.first)
          const [one, other] = [freshAddress(), freshAddress()]

          const left = [
            await remaining(passed, scheme, { from: one }),
            await remaining(passed, scheme, { from: one, headers: claims('192.0.2.1') }),
            await remaining(passed, scheme, { from: one, headers: claims(other) }),
            await remaining(passed, scheme, { from: other }),
          ]
          const refusal = await refusalOf('www.unknown.test', passed.httpsPort)
          await passed.stop()

          expect(refusal).toBe('ERR_SSL_TLSV1_UNRECOGNIZED_NAME')
          expect(left).toEqual([59, 58, 57, 59])
        },
      )
    }
  },
)

describe('behind a proxy that is trusted over HTTP', () => {
  beforeAll(() => serveDomain({ TRUST_PROXY: '1' }))
  afterAll(() => platform?.stop())

  it('a proxy header is trusted from a client over HTTP, and ignored from a client over HTTPS', async () => {
    const [one, other] = [freshAddress(), freshAddress()]

    const left = [
      await remaining(platform.first, 'http', { from: one, headers: claims(other) }),
      await remaining(platform.first, 'http', { from: other, headers: claims(other) }),
      await remaining(platform.first, 'https', { from: one, headers: claims(other) }),
      await remaining(platform.first, 'https', { from: one, headers: claims('192.0.2.1') }),
    ]

    expect(left).toEqual([59, 58, 59, 58])
  })
})
