import { beforeAll, describe, expect, test } from 'vitest'
import type { CaaVerdict } from '../../src/hosting/caa.ts'
import {
  askInWorld,
  type OddServer,
  type World,
  type WorldAnswer,
  type WorldQuestion,
  whyNoWorld,
  type Zones,
} from '../support/dns-world.ts'

const target = 'demo.animals.test'
const token = '019ab2f0-5d1c-4c3a-9d2e-6f0e77aa12bc'
const ours = ['185.20.0.1']
const promised = ['185.20.0.9']

/** The name server Knot A has the right records. Knot B still has the records that the owner has not changed yet. */
const [a1, a2, b1, b2] = ['185.10.1.1', '185.10.1.2', '185.10.2.1', '185.10.2.2']
const silent = ['185.10.8.1', '185.10.8.2', '185.10.8.3']
const hosts = { a1, a2, b1, b2, s1: silent[0], s2: silent[1], s3: silent[2] }
const servedBy = (...names: string[]) => names.map(name => `@ NS ${name}.provider.test.`)
const onA = servedBy('a1', 'a2')
const points = `www CNAME ${target}.`

/** The zones registered under `test`, and their delegations. */
const delegated: Zones = {
  provider: onA,
  animals: onA,
  other: onA,
  shop: onA,
  split2: servedBy('a1', 'b1'),
  split4: servedBy('a1', 'a2', 'b1', 'b2'),
  splitwrong: servedBy('a1', 'b1'),
  spreadproof: servedBy('a1', 'b1'),
  threedead: servedBy('a1', 's1', 's2', 's3'),
  onelame: servedBy('a1', 'b1'),
  dead: servedBy('s1', 's2'),
  lame: servedBy('b1', 'b2'),
  bogus: onA,
  noaddress: servedBy('nowhere'),
  inside: ['@ NS ns.inside.test.', 'ns.inside A 10.1.2.3'],
  gone: servedBy('a1', 'a2'),
  empty: onA,
  caa: onA,
  caasplit: servedBy('a1', 'b1'),
  deadapex: onA,
  servfail: servedBy('o1'),
  refused: servedBy('o2'),
  notours: servedBy('o3'),
  noedns: servedBy('o4'),
  tcponly: servedBy('o5'),
  uppercase: servedBy('o6'),
  beside: servedBy('o7'),
}

const odd: Record<string, OddServer> = {
  ...Object.fromEntries(silent.map(address => [address, { how: 'silent', lines: [] } as const])),
  '185.10.9.1': { how: 'servfail', lines: [] },
  '185.10.9.2': { how: 'refused', lines: [] },
  '185.10.9.3': { how: 'not authoritative', lines: [] },
  '185.10.9.4': { how: 'rejects EDNS', lines: [`www.noedns.test CNAME ${target}`] },
  '185.10.9.5': { how: 'answers over TCP only', lines: [`www.tcponly.test CNAME ${target}`] },
  '185.10.9.6': { how: 'upper-cases names', lines: [`www.uppercase.test CNAME ${target}`] },
  '185.10.9.7': {
    how: 'plain',
    lines: [
      `www.beside.test CNAME ${target}`,
      'www.beside.test A 185.30.0.1',
      `two.beside.test CNAME ${target}`,
      'two.beside.test CNAME live.other.test',
    ],
  },
}
const oddHosts = Object.keys(odd).slice(silent.length)

const chain = (length: number, name: string) =>
  Array.from({ length }, (_, n) => `${n === 0 ? name : `${name}${n}`} CNAME ${name}${n + 1}`)

const zonesOfA: Zones = {
  'provider.test': [
    ...onA,
    ...Object.entries(hosts).map(([name, address]) => `${name} A ${address}`),
    ...oddHosts.map((address, n) => `o${n + 1} A ${address}`),
  ],
  'animals.test': [...onA, `demo A ${ours[0]}`],
  'empty.test': onA,
  'other.test': [...onA, 'live A 185.30.0.1', 'back CNAME circle3.shop.test.'],
  'split2.test': [...(delegated.split2 ?? []), points],
  'split4.test': [...(delegated.split4 ?? []), points],
  'splitwrong.test': [...(delegated.splitwrong ?? []), 'www CNAME live.other.test.'],
  'spreadproof.test': [...(delegated.spreadproof ?? []), `www A ${ours[0]}`, '_animal-store.www TXT token-1'],
  'threedead.test': [...(delegated.threedead ?? []), points],
  'onelame.test': [...(delegated.onelame ?? []), points],
  'bogus.test': [...onA, points],
  'deadapex.test': [...onA, '@ A 185.30.0.1', 'team NS s1.provider.test.', 'team NS s2.provider.test.'],
  'inner.shop.test': [...onA, `www CNAME ${target}.`],
  'shop.test': [
    ...onA,
    points,
    'case CNAME DEMO.Animals.Test.',
    `*.wild CNAME ${target}.`,
    'below.empty A 185.30.0.1',
    'mail MX 10 live.other.test.',
    'elsewhere CNAME live.other.test.',
    `nearly CNAME x.${target}.`,
    `detour CNAME www`,
    'dangling CNAME nothing.other.test.',
    'intodead CNAME old.dead.test.',
    'intolame CNAME old.lame.test.',
    'intobogus CNAME www.bogus.test.',
    'intounregistered CNAME www.unregistered.test.',
    'intonoaddress CNAME www.noaddress.test.',
    'circle1 CNAME circle1',
    'circle2 CNAME circle2b',
    'circle2b CNAME circle2',
    'circle3 CNAME back.other.test.',
    'further CNAME circle2',
    ...chain(10, 'ten'),
    ...chain(11, 'eleven'),
    'moved DNAME other.test.',
    'old A 185.30.0.1',
    'old6 AAAA 2a00:1450::1',
    'hidden A 10.0.0.7',
    `flat A ${ours[0]}`,
    `proven A ${ours[0]}`,
    '_animal-store.proven TXT token-1',
    `kept A ${promised[0]}`,
    '_animal-store.kept CNAME proofs.other.test.',
    'orange A 104.16.1.2',
    ...Array.from({ length: 200 }, (_, n) => `many A 185.31.0.${n}`),
    '@ A 185.20.0.1',
    'team NS b1.provider.test.',
    'bare NS b1.provider.test.',
    'away NS b1.provider.test.',
    'inner NS a1.provider.test.',
    'inner NS a2.provider.test.',
    ...Array.from({ length: 61 }, (_, n) => `_animal-store.texts TXT token-${n}`),
  ],
}
zonesOfA['other.test']?.push(`proofs TXT ${token}`)

const zonesOfB: Zones = {
  'split2.test': delegated.split2 ?? [],
  'split4.test': [...(delegated.split4 ?? []), 'www CNAME live.other.test.'],
  'splitwrong.test': delegated.splitwrong ?? [],
  'spreadproof.test': [...(delegated.spreadproof ?? []), `www A ${ours[0]}`],
  'team.shop.test': ['@ NS b1.provider.test.', `@ A ${ours[0]}`, `www CNAME ${target}.`],
  'bare.shop.test': ['@ NS b1.provider.test.'],
  'away.shop.test': ['@ NS b1.provider.test.', '@ A 185.30.0.1'],
}

const world: World = {
  knots: [
    {
      addresses: ['193.0.14.129'],
      zones: {
        '.': [
          '@ NS a.root-servers.test.',
          'test NS a.root-servers.test.',
          'a.root-servers.test A 193.0.14.129',
        ],
        test: [
          '@ NS a.root-servers',
          'a.root-servers A 193.0.14.129',
          ...Object.entries(delegated).flatMap(([zone, lines]) =>
            lines.map(line => line.replace(/^@/, zone)),
          ),
          ...Object.entries(hosts).map(([name, address]) => `${name}.provider A ${address}`),
        ],
      },
    },
    { addresses: [a1, a2], zones: zonesOfA },
    { addresses: [b1, b2], zones: zonesOfB },
  ],
  odd,
  bogus: ['bogus.test'],
}

type Shape = [shape: string, name: string, verdict: string, said?: RegExp]
const shapes: Shape[] = [
  ['a CNAME that is exactly the target', 'www.shop.test', 'verified'],
  ['a CNAME in capitals', 'case.shop.test', 'verified'],
  ['a wildcard CNAME', 'any.wild.shop.test', 'verified'],
  ['no record', 'nothing.shop.test', 'record_missing'],
  ['only names below it', 'empty.shop.test', 'record_missing'],
  ['only a mail record', 'mail.shop.test', 'record_missing'],
  ['an unregistered domain', 'www.unregistered.test', 'record_missing', /unregistered\.test does not exist/],
  ['a CNAME to another live name', 'elsewhere.shop.test', 'record_differs'],
  ['a CNAME to a name below the target', 'nearly.shop.test', 'record_differs'],
  ['a CNAME to the target through another CNAME', 'detour.shop.test', 'record_differs'],
  ['a CNAME to a name that does not exist', 'dangling.shop.test', 'record_differs'],
  ['a CNAME into an unregistered domain', 'intounregistered.shop.test', 'record_differs'],
  [
    'a CNAME into a zone whose servers are silent',
    'intodead.shop.test',
    'record_differs',
    /points at old\.dead\.test/,
  ],
  [
    'a CNAME into a zone that its servers refuse',
    'intolame.shop.test',
    'record_differs',
    /points at old\.lame\.test/,
  ],
  [
    'a CNAME into a zone with broken DNSSEC',
    'intobogus.shop.test',
    'record_differs',
    /points at www\.bogus\.test/,
  ],
  ['a CNAME into a zone whose servers have no address', 'intonoaddress.shop.test', 'record_differs'],
  ['a CNAME to itself', 'circle1.shop.test', 'loop'],
  ['two CNAMEs in a circle', 'circle2.shop.test', 'loop'],
  ['a circle through another zone', 'circle3.shop.test', 'loop'],
  ['a CNAME into a circle', 'further.shop.test', 'loop'],
  ['a chain of ten CNAMEs', 'ten.shop.test', 'record_differs'],
  ['a chain of eleven CNAMEs', 'eleven.shop.test', 'loop'],
  ['a DNAME above the name', 'www.moved.shop.test', 'record_differs', /www\.other\.test/],
  ['an A record to another address', 'old.shop.test', 'address_record_conflict'],
  ['an AAAA record to another address', 'old6.shop.test', 'address_record_conflict'],
  ['an A record to a private address', 'hidden.shop.test', 'address_record_conflict', /not public/],
  ['more A records than fit into one datagram', 'many.shop.test', 'address_record_conflict'],
  ['an A record beside the CNAME', 'www.beside.test', 'address_record_conflict'],
  ['two CNAMEs on one name', 'two.beside.test', 'several_cnames'],
  ['an address of the platform', 'flat.shop.test', 'verified by address'],
  ['an address of the platform and a TXT proof', 'proven.shop.test', 'verified by address and token-1'],
  ['a promised address and a TXT proof behind a CNAME', 'kept.shop.test', `verified by address and ${token}`],
  ['the address of a proxy', 'orange.shop.test', 'proxied'],
  ['an apex with the addresses of the target', 'shop.test', 'verified'],
  ['an apex with other addresses', 'deadapex.test', 'apex_differs'],
  ['an apex without an address', 'empty.test', 'record_missing', /ALIAS or ANAME/],
  ['a registered domain whose servers do not know it', 'gone.test', 'dns_unreachable', /answered REFUSED/],
  ['a name that is a zone of its own, with the addresses of the target', 'team.shop.test', 'verified'],
  [
    'a name that is a zone of its own, without an address',
    'bare.shop.test',
    'record_missing',
    /ALIAS or ANAME/,
  ],
  ['a name that is a zone of its own, with another address', 'away.shop.test', 'apex_differs'],
  ['a name that is a zone of its own on silent servers', 'team.deadapex.test', 'dns_unreachable'],
  ['a name below a delegated zone', 'www.team.shop.test', 'verified'],
  ['a name below a delegated zone on the same servers', 'www.inner.shop.test', 'verified'],
  [
    'a record that one of two servers has',
    'www.split2.test',
    'spreading',
    /^1 of 2 .* b1\.provider\.test does not/,
  ],
  [
    'a record that two of four servers have',
    'www.split4.test',
    'spreading',
    /^2 of 4 .* b1\.provider\.test, b2\.provider\.test do not/,
  ],
  ['a wrong record on one of two servers', 'www.splitwrong.test', 'record_differs'],
  ['three silent servers of four', 'www.threedead.test', 'verified'],
  ['one of two servers that refuses the zone', 'www.onelame.test', 'verified'],
  ['only silent servers', 'www.dead.test', 'dns_unreachable', /s1\.provider\.test did not answer in time/],
  ['only servers that refuse the zone', 'www.lame.test', 'dns_unreachable', /answered REFUSED/],
  ['servers whose addresses are private', 'www.inside.test', 'dns_unreachable', /not public/],
  ['servers without an address', 'www.noaddress.test', 'dns_unreachable', /no address/],
  ['broken DNSSEC', 'www.bogus.test', 'dns_unreachable', /DNSSEC/],
  [
    'a server that answers SERVFAIL',
    'www.servfail.test',
    'dns_unreachable',
    /o1\.provider\.test answered SERVFAIL/,
  ],
  ['a server that answers REFUSED', 'www.refused.test', 'dns_unreachable'],
  ['a server that is not in charge', 'www.notours.test', 'dns_unreachable', /not authoritative/],
  ['a server that rejects EDNS', 'www.noedns.test', 'verified'],
  ['a server that answers over TCP only', 'www.tcponly.test', 'verified'],
  ['a server that repeats names in capitals', 'www.uppercase.test', 'verified'],
]

const ca = (value: string, tag = 'issue', flags = 0) => `CAA ${flags} ${tag} "${value}"`
type Caa = [form: string, name: string, outcome: CaaVerdict['outcome'], ...lines: string[]]
/** Forms of CAA records, each in a subzone of caa.test. */
const caaForms: Caa[] = [
  ['no record', 'www.none.caa.test', 'allowed', 'www.none A 185.20.0.1'],
  ['a record that names our authority', 'www.ours.caa.test', 'allowed', `ours ${ca('ca.example')}`],
  [
    'a record that names another authority',
    'www.theirs.caa.test',
    'blocked',
    `theirs ${ca('other.example')}`,
  ],
  ['a record that names no authority', 'www.nobody.caa.test', 'blocked', `nobody ${ca(';')}`],
  ['an empty record', 'www.blank.caa.test', 'blocked', `blank ${ca('')}`],
  [
    'two records, one of which names our authority',
    'www.two.caa.test',
    'allowed',
    `two ${ca('other.example')}`,
    `two ${ca('ca.example')}`,
  ],
  ['only a rule for wildcards', 'www.wild.caa.test', 'allowed', `wild ${ca(';', 'issuewild')}`],
  [
    'only an address for reports',
    'www.report.caa.test',
    'allowed',
    `report ${ca('mailto:a@b.example', 'iodef')}`,
  ],
  [
    'a critical address for reports',
    'www.reports.caa.test',
    'allowed',
    `reports ${ca('mailto:a@b.example', 'iodef', 128)}`,
  ],
  ['an unknown tag', 'www.tag.caa.test', 'allowed', `tag ${ca('x', 'strange')}`],
  ['an unknown critical tag', 'www.critical.caa.test', 'blocked', `critical ${ca('x', 'strange', 128)}`],
  [
    'our authority at the name and another one above it',
    'www.near.caa.test',
    'allowed',
    `www.near ${ca('ca.example')}`,
    `near ${ca('other.example')}`,
  ],
  [
    'another authority at the name and ours above it',
    'www.far.caa.test',
    'blocked',
    `www.far ${ca('other.example')}`,
    `far ${ca('ca.example')}`,
  ],
  [
    'a record that names our account',
    'www.account.caa.test',
    'allowed',
    `account ${ca('ca.example; accounturi=https://ca.example/account/1')}`,
  ],
  [
    'a record that names another account',
    'www.accounts.caa.test',
    'blocked',
    `accounts ${ca('ca.example; accounturi=https://ca.example/account/2')}`,
  ],
  [
    'a record that names our validation method',
    'www.method.caa.test',
    'allowed',
    `method ${ca('ca.example; validationmethods=dns-01,http-01')}`,
  ],
  [
    'a record that names another validation method',
    'www.methods.caa.test',
    'blocked',
    `methods ${ca('ca.example; validationmethods=dns-01')}`,
  ],
  ['a record in capitals', 'www.capitals.caa.test', 'allowed', `capitals ${ca('CA.Example', 'ISSUE')}`],
  ['a record with spaces', 'www.spaces.caa.test', 'allowed', `spaces ${ca('  ca.example ; ')}`],
  [
    'another authority behind an alias into another zone',
    'alias.caa.test',
    'blocked',
    'alias CNAME caa.other.test.',
  ],
  [
    'another authority above the end of an alias',
    'climb.caa.test',
    'allowed',
    'climb CNAME below.caa.other.test.',
  ],
  ['an alias into a silent zone', 'intodead.caa.test', 'unreachable', 'intodead CNAME www.dead.test.'],
  ['another authority on one of two name servers', 'www.caasplit.test', 'blocked'],
  ['a zone whose servers are silent', 'www.dead.test', 'unreachable'],
  ['a zone where one of four servers answers', 'www.threedead.test', 'allowed'],
]
zonesOfA['caa.test'] = [...onA, ...caaForms.flatMap(([, , , ...lines]) => lines)]
zonesOfA['caasplit.test'] = delegated.caasplit ?? []
zonesOfB['caasplit.test'] = [...(delegated.caasplit ?? []), `@ ${ca('other.example')}`]
zonesOfA['other.test']?.push(`caa ${ca('other.example')}`, 'below.caa A 185.30.0.1')

const noWorld = await whyNoWorld()
/**
 * If `noWorld` is set, these tests are left out. Even then, check-dns.test.ts checks these verdicts, because the
 * practice name server runs on any machine.
 */
const where = noWorld ? `(left out: ${noWorld})` : 'by Knot and Unbound'

describe.skipIf(noWorld !== null)(`verdicts on DNS zones that are served ${where}`, () => {
  const issuer = { identities: ['ca.example'], accountUrl: 'https://ca.example/account/1' }
  const names = [
    ...shapes.map(([, name]) => name),
    'www.spreadproof.test',
    'texts.shop.test',
    'inner.shop.test',
    'nothing.inner.shop.test',
  ]
  const aboutName = (name: string): WorldQuestion => ({
    ...{ kind: 'name', name, target, platformAddresses: promised },
  })
  const aboutCaa = (name: string): WorldQuestion => ({ kind: 'caa', name, ...issuer })
  const keyOf = ({ kind, name }: WorldQuestion) => `${kind} ${name}`
  const answers = new Map<string, WorldAnswer>()
  async function ask(questions: WorldQuestion[]) {
    const given = await askInWorld(world, questions)
    for (const [index, answer] of given.entries())
      answers.set(keyOf(questions[index] as WorldQuestion), answer)
  }
  beforeAll(async () => {
    await ask(names.map(aboutName))
    await ask(caaForms.map(([, name]) => aboutCaa(name)))
  }, 120_000)

  const read = new Set<string>()
  /**
   * Returns the answer that beforeAll stored for this question. If a test is tried again, asks the question again,
   * because a busy machine may have spoiled the stored answer.
   */
  async function answerTo(question: WorldQuestion) {
    const reading = `${expect.getState().currentTestName}: ${keyOf(question)}`
    if (read.has(reading)) await ask([question])
    read.add(reading)
    return answers.get(keyOf(question))
  }
  const lookAt = async (name: string) => (await answerTo(aboutName(name)))?.look

  test.each(shapes)('%s: the name %s gets the verdict %s', async (_shape, name, expected, said) => {
    const { verdict, proof } = (await lookAt(name)) ?? {}
    const [code, ...how] = expected.split(' ')

    expect(verdict?.code ?? 'verified', verdict?.message).toBe(code)
    if (said) expect(verdict?.message).toMatch(said)
    if (how.includes('address')) expect(proof).toMatchObject({ needsToken: true, tokens: how.slice(3) })
    expect(verdict?.message).not.toContain('127.0.0.1')
  })

  test.each(caaForms)('%s: the CAA check of the name %s has the outcome %s', async (_form, name, outcome) => {
    expect((await answerTo(aboutCaa(name)))?.caa).toMatchObject({ outcome })
  })

  test.each([
    ['www.shop.test', 'shop.test'],
    ['team.shop.test', 'team.shop.test'],
    ['www.team.shop.test', 'team.shop.test'],
    ['inner.shop.test', 'inner.shop.test'],
    ['nothing.inner.shop.test', 'inner.shop.test'],
    ['www.unregistered.test', null],
    ['www.dead.test', null],
  ])('the zone of %s is %s', async (name, zone) => {
    expect((await lookAt(name))?.zone).toBe(zone)
  })

  test('all TXT records of a name are read, and a token counts only if every name server has it', async () => {
    const tokens = Array.from({ length: 61 }, (_, n) => `token-${n}`)

    expect((await lookAt('texts.shop.test'))?.proof.tokens?.toSorted()).toEqual(tokens.toSorted())
    expect((await lookAt('www.spreadproof.test'))?.proof).toMatchObject({
      tokens: [],
      partialTokens: ['token-1'],
    })
  })

  test('every verdict takes less than five seconds', async () => {
    const slow = () => names.filter(name => Number(answers.get(keyOf(aboutName(name)))?.ms) > 5_000)
    // Names can be slow here because all of them were checked at once, so check the slow ones again.
    if (slow().length > 0) await ask(slow().map(aboutName))

    expect(slow()).toEqual([])
  })
})
