import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { checkCaa } from '../../src/hosting/caa.ts'
import { type Dns, openDns } from '../../src/hosting/dns.ts'
import { type NameServer, startNameServer } from '../../src/practice/name-server.ts'

const name = 'www.shop.test'
const accountUrl = 'https://ca.example/account?id=1'
const issuer = { identities: ['other-name.example', 'ca.example'], accountUrl }
const zone = ['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.1']

let server: NameServer
beforeAll(async () => {
  server = await startNameServer()
})
afterAll(() => server.stop())

const check = (records: string[], of = issuer as { identities: string[]; accountUrl: string | null }) => {
  server.setZone([...zone, ...records.map(record => `shop.test CAA ${record}`)])
  return checkCaa(openDns([server]), name, of)
}

test.each([
  ['by either of its names', ['0 issue "other-name.example"']],
  ['in capitals', ['0 issue "CA.Example"']],
  ['with a dot at the end', ['0 issue "ca.example."']],
  ['with spaces around its parts', [`0 issue " ca.example ; accounturi = ${accountUrl} "`]],
  [
    'with its account, the name of the parameter in capitals',
    [`0 issue "ca.example; AccountURI=${accountUrl}"`],
  ],
  ['with our method among others', ['0 issue "ca.example; ValidationMethods=dns-01, http-01 , tls-alpn-01"']],
  ['critically', ['128 issue "ca.example"']],
  ['beside another account of it', ['0 issue "ca.example; accounturi=x"', '0 issue "ca.example"']],
])('CAA admits an authority that is named %s', async (_, records) => {
  expect(await check(records)).toEqual({ outcome: 'allowed' })
})

test('every tag that has a meaning may be critical, however it is written', async () => {
  const tags = ['issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone']

  expect(await check([...tags, 'IODEF', 'IssueWild'].map(tag => `128 ${tag} "x"`))).toEqual({
    outcome: 'allowed',
  })
})

const shown = (value: string, why: string) => ({
  outcome: 'blocked',
  message: `The CAA record "shop.test CAA ${value}", which decides for shop.test, ${why}. Change it or delete it.`,
  record: { type: 'CAA', name: 'shop.test', value },
})
const both = 'other-name.example or ca.example'

describe('the record that bars the authority is told with the reason', () => {
  test.each<[string, string]>([
    ['0 issue "their.example"', `does not admit the certificate authority ${both}`],
    ['0 ISSUE "their.example"', `does not admit the certificate authority ${both}`],
    ['0 issue "example"', `does not admit the certificate authority ${both}`],
    ['128 strange "x"', 'is critical and has a meaning that no CA here knows'],
    [
      '0 issue "ca.example; validationmethods=dns-01,xhttp-01"',
      `admits ${both} by its validationmethods without http-01, which is how the platform proves a name`,
    ],
    [
      '0 issue "ca.example; VALIDATIONMETHODS=dns-01"',
      `admits ${both} by its validationmethods without http-01, which is how the platform proves a name`,
    ],
    [
      '0 issue "ca.example; accounturi=https://ca.example/account?id=2"',
      `admits ${both} by its accounturi for another account than the platform's`,
    ],
  ])('%s', async (record, why) => {
    expect(await check([record])).toEqual(shown(record, why))
  })

  test('of several it is the one that names our authority', async () => {
    const ours = '0 issue "ca.example; validationmethods=dns-01"'

    expect(await check(['0 issue "their.example"', ours])).toMatchObject({ record: { value: ours } })
  })

  test('an account is asked for that we do not have yet', async () => {
    const record = '0 issue "ca.example; accounturi=https://ca.example/account/1"'

    expect(await check([record], { ...issuer, accountUrl: null })).toMatchObject({ outcome: 'blocked' })
  })
})

test('an authority that does not say its name judges CAA itself, and nobody is asked for it', async () => {
  server.asked.length = 0

  expect(await check(['0 issue "their.example"'], { identities: [], accountUrl })).toEqual({
    outcome: 'allowed',
  })

  expect(server.asked).toEqual([])
})

test('a name that has records of its own needs none of those above, and it is told whose could not be asked for', async () => {
  const broken = await startNameServer([...zone, `${name} CAA 0 issue "ca.example"`])
  onTestFinished(() => broken.stop())
  const startLookup: Dns['startLookup'] = deadline => {
    const lookup = openDns([broken]).startLookup(deadline)
    const away = { reached: false as const, why: 'it is away' }
    return {
      ...lookup,
      askZone: async (owner, types) => (owner === 'shop.test' ? away : lookup.askZone(owner, types)),
    }
  }

  expect(await checkCaa({ startLookup }, name, issuer)).toEqual({ outcome: 'allowed' })
  broken.setZone(zone)
  expect(await checkCaa({ startLookup }, name, issuer)).toEqual({
    outcome: 'unreachable',
    message: 'The CAA records of shop.test could not be read: it is away.',
  })
})
