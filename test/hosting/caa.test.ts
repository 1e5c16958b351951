import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { checkCaa } from '../../src/hosting/caa.ts'
import { type Dns, openDns } from '../../src/hosting/dns.ts'
import { type NameServer, startNameServer } from '../../src/practice/name-server.ts'

describe('the CAA check of a name', () => {
  const name = 'eu.www.shop.test'
  const issuer = { identities: ['ca.example'], accountUrl: 'https://ca.example/account/1' }
  const zone = ['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.1']

  let server: NameServer
  let dns: Dns

  beforeAll(async () => {
    server = await startNameServer()
    dns = openDns([server])
  })
  beforeEach(() => server.setZone(zone))
  afterAll(() => server.stop())

  const check = (...lines: string[]) => {
    server.setZone([...zone, ...lines])
    return checkCaa(dns, name, issuer)
  }

  function asRecord(line: string) {
    const [name, type, ...value] = line.split(' ')
    return { type, name, value: value.join(' ') }
  }

  describe('CAA records that allow the authority', () => {
    test.each([
      ['if there is no record at all', []],
      ['if a record names it', ['shop.test CAA 0 issue "ca.example"']],
      [
        'if one of several records names it',
        ['shop.test CAA 0 issue "other.example"', 'shop.test CAA 0 issue "ca.example"'],
      ],
      [
        'if the set has no issue record',
        ['shop.test CAA 0 iodef "mailto:it@shop.test"', 'shop.test CAA 0 issuewild ";"'],
      ],
      [
        'if the records of the name allow it and those of a parent do not',
        [`${name} CAA 0 issue "ca.example"`, 'shop.test CAA 0 issue "other.example"'],
      ],
      [
        'if its account and method are required',
        [
          `shop.test CAA 0 issue "ca.example; accounturi=${issuer.accountUrl}; validationmethods=dns-01,http-01"`,
        ],
      ],
      ['if an unknown tag is not critical', ['shop.test CAA 0 strange "x"']],
    ])('CAA allows the authority %s', async (_, lines) => {
      expect(await check(...lines)).toEqual({ outcome: 'allowed' })
    })
  })

  describe('CAA records that block the authority', () => {
    test.each([
      ['another authority at the name', `${name} CAA 0 issue "other.example"`],
      ['another authority at a parent of the name', 'shop.test CAA 0 issue "other.example"'],
      ['another authority at the top-level domain', 'test CAA 0 issue "other.example"'],
      ['no authority at all', 'shop.test CAA 0 issue ";"'],
      ['another account', 'shop.test CAA 0 issue "ca.example; accounturi=https://ca.example/account/2"'],
      ['another method', 'shop.test CAA 0 issue "ca.example; validationmethods=dns-01"'],
      ['an unknown critical tag', 'shop.test CAA 128 strange "x"'],
    ])('CAA records block the authority, and the blocking record is shown: %s', async (_, line) => {
      expect(await check(line)).toMatchObject({ outcome: 'blocked', record: asRecord(line) })
    })

    test('CAA records for another authority block our authority, even if they are at the target of an alias', async () => {
      const lines = [`${name} CNAME edge.other.test`, 'edge.other.test CAA 0 issue "other.example"']

      expect(await check(...lines)).toMatchObject({
        outcome: 'blocked',
        record: asRecord('edge.other.test CAA 0 issue "other.example"'),
      })
    })

    test('CAA records for another authority block our authority, even if an alias leads to them in a zone that only resolvers can read', async () => {
      const alias = `${name} CNAME edge.other.test`
      const own = await startNameServer([alias], 0, '127.0.0.2')
      const led = ['shop.test NS ns1.shop.test', 'ns1.shop.test A 127.0.0.2', alias]
      server.setZone([...led, 'edge.other.test CAA 0 issue "other.example"'])

      const verdict = await checkCaa(openDns([server, own]), name, issuer)

      expect(verdict).toMatchObject({
        outcome: 'blocked',
        record: asRecord('edge.other.test CAA 0 issue "other.example"'),
      })
      await own.stop()
    })

    test('if a name is an alias, CAA records at the parent names of the alias target do not block our authority', async () => {
      const lines = [
        `${name} CNAME edge.other.test`,
        'other.test CAA 0 issue "other.example"',
        'edge.other.test A 192.0.2.1',
      ]

      expect(await check(...lines)).toEqual({ outcome: 'allowed' })
    })
  })

  test.each([
    ['validationmethods=dns-01', 'validationmethods'],
    ['accounturi=https://ca.example/account/2', 'accounturi'],
  ])('a record that names our authority but excludes it by %s is reported', async (parameter, word) => {
    const verdict = await check(
      'shop.test CAA 0 issue "other.example"',
      `shop.test CAA 0 issue "ca.example; ${parameter}"`,
    )

    expect(verdict).toMatchObject({
      outcome: 'blocked',
      message: expect.stringContaining(word),
      record: { value: expect.stringContaining('ca.example;') },
    })
  })

  test('a failed lookup of CAA records does not count as permission', async () => {
    const broken = await startNameServer(zone)
    broken.misbehave('shop.test', 'SERVFAIL')

    expect(await checkCaa(openDns([broken]), name, issuer)).toMatchObject({ outcome: 'unreachable' })
    await broken.stop()
  })

  test("CAA records up to the registered domain are read at the name servers of their own zone, not from a resolver's cache", async () => {
    server.setZone(zone)
    const byResolver: string[] = []
    const startLookup: Dns['startLookup'] = deadline => {
      const lookup = dns.startLookup(deadline)
      return {
        ...lookup,
        resolve(owner, type) {
          if (type === 'CAA') byResolver.push(owner)
          return lookup.resolve(owner, type)
        },
      }
    }

    expect(await checkCaa({ startLookup }, name, issuer)).toEqual({ outcome: 'allowed' })

    expect(byResolver).toEqual(['test'])
  })
})

describe('the messages of a CAA verdict', () => {
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
      'with its account in a parameter whose name has capitals',
      [`0 issue "ca.example; AccountURI=${accountUrl}"`],
    ],
    [
      'with our method among others',
      ['0 issue "ca.example; ValidationMethods=dns-01, http-01 , tls-alpn-01"'],
    ],
    ['in a critical record', ['128 issue "ca.example"']],
    [
      'with another account, and in a second record without an account',
      ['0 issue "ca.example; accounturi=x"', '0 issue "ca.example"'],
    ],
  ])('CAA allows an authority that is named %s', async (_, records) => {
    expect(await check(records)).toEqual({ outcome: 'allowed' })
  })

  test('every known CAA tag may be marked critical, in upper or lower case', async () => {
    const tags = ['issuewild', 'iodef', 'issuemail', 'issuevmc', 'contactemail', 'contactphone']

    expect(await check([...tags, 'IODEF', 'IssueWild'].map(tag => `128 ${tag} "x"`))).toEqual({
      outcome: 'allowed',
    })
  })

  const shown = (value: string, why: string) => ({
    outcome: 'blocked',
    message: `The CAA record "shop.test CAA ${value}", which applies to shop.test, ${why}. Change or delete this record.`,
    record: { type: 'CAA', name: 'shop.test', value },
  })
  const both = 'other-name.example or ca.example'

  describe('the reason why a record blocks the authority', () => {
    test.each<[string, string]>([
      ['0 issue "their.example"', `does not allow the certificate authority ${both}`],
      ['0 ISSUE "their.example"', `does not allow the certificate authority ${both}`],
      ['0 issue "example"', `does not allow the certificate authority ${both}`],
      ['128 strange "x"', 'is critical, and the certificate authorities of the platform do not know its tag'],
      [
        '0 issue "ca.example; validationmethods=dns-01,xhttp-01"',
        `allows ${both} only with validationmethods other than http-01, but the platform uses http-01`,
      ],
      [
        '0 issue "ca.example; VALIDATIONMETHODS=dns-01"',
        `allows ${both} only with validationmethods other than http-01, but the platform uses http-01`,
      ],
      [
        '0 issue "ca.example; accounturi=https://ca.example/account?id=2"',
        `allows ${both} only for an ACME account (accounturi) that is not the platform's`,
      ],
    ])('the reason is reported for the record %s', async (record, why) => {
      expect(await check([record])).toEqual(shown(record, why))
    })

    test('if several CAA records block our authority, the record that names our authority is reported', async () => {
      const ours = '0 issue "ca.example; validationmethods=dns-01"'

      expect(await check(['0 issue "their.example"', ours])).toMatchObject({ record: { value: ours } })
    })

    test('a CAA record that requires an account blocks our authority while we have no account', async () => {
      const record = '0 issue "ca.example; accounturi=https://ca.example/account/1"'

      expect(await check([record], { ...issuer, accountUrl: null })).toMatchObject({ outcome: 'blocked' })
    })
  })

  test('no CAA record is read for an authority that does not publish its name', async () => {
    server.received.length = 0

    expect(await check(['0 issue "their.example"'], { identities: [], accountUrl })).toEqual({
      outcome: 'allowed',
    })

    expect(server.received).toEqual([])
  })

  test('CAA records of the name itself are sufficient, and if there are none, a failed lookup of a parent name is reported', async () => {
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
})
