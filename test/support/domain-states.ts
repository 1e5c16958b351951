import type { CertificateProblem } from '../../src/core/certificates/certificates.ts'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { addDomain } from '../../src/core/domains/domains.ts'
import type { DnsVerdict } from '../../src/core/hosts/dns-verdict.ts'
import type { Project } from '../../src/core/project.ts'
import { makeRoot } from '../../src/hosting/local-signing.ts'
import type { Tools } from '../../src/tools.ts'

const right: DnsVerdict = {
  code: null,
  message: 'The record is right.',
  found: [],
  expected: [],
  inTheWay: null,
}
const blocking = { type: 'A', name: 'menu.paws.example', value: '93.184.215.7' }
const caa = { type: 'CAA', name: 'crate.paws.example', value: '0 issue "another-ca.example"' }

type Furnished = {
  name: string
  state: 'pending' | 'stale' | 'live' | 'drifted'
  verdict?: DnsVerdict
  certificate?: CertificateProblem['code'] | 'issuing' | 'issued' | 'expiring'
}

const wrong = (code: NonNullable<DnsVerdict['code']>, more: Partial<DnsVerdict> = {}): DnsVerdict => ({
  code,
  message: `What is said of ${code.replaceAll('_', ' ')}, in a sentence or two that take their place.`,
  found: [],
  expected: ['demo.animals.localhost'],
  inTheWay: null,
  ...more,
})

/** A domain in every combination of host and certificate state that the page knows. */
export const furnished: readonly Furnished[] = [
  { name: 'new.paws.example', state: 'pending' },
  { name: 'nothing.paws.example', state: 'pending', verdict: wrong('record_missing') },
  {
    name: 'other.paws.example',
    state: 'pending',
    verdict: wrong('record_differs', {
      found: [{ type: 'CNAME', name: 'other.paws.example', value: 'elsewhere.example' }],
    }),
  },
  {
    name: 'menu.paws.example',
    state: 'pending',
    verdict: wrong('address_record_conflict', { found: [blocking], inTheWay: blocking }),
  },
  {
    name: 'paws.example',
    state: 'pending',
    verdict: wrong('apex_differs', {
      found: [{ ...blocking, name: 'paws.example' }],
      expected: ['127.0.0.1', '::1'],
    }),
  },
  { name: 'silent.paws.example', state: 'pending', verdict: wrong('dns_unreachable') },
  { name: 'circle.paws.example', state: 'pending', verdict: wrong('loop') },
  {
    name: 'halfway.paws.example',
    state: 'pending',
    verdict: wrong('spreading', {
      message: '2 of 4 name servers have the record so far: ns3.paws.example, ns4.paws.example do not.',
      found: [{ type: 'CNAME', name: 'halfway.paws.example', value: 'demo.animals.localhost' }],
    }),
  },
  { name: 'xn--ws-6kc7d.example', state: 'pending', verdict: wrong('record_missing') },
  {
    name: 'twice.paws.example',
    state: 'pending',
    verdict: wrong('several_cnames', {
      found: [
        { type: 'CNAME', name: 'twice.paws.example', value: 'demo.animals.localhost' },
        { type: 'CNAME', name: 'twice.paws.example', value: 'elsewhere.example' },
      ],
    }),
  },
  {
    name: 'orange.paws.example',
    state: 'pending',
    verdict: wrong('proxied', {
      found: [{ type: 'A', name: 'orange.paws.example', value: '104.16.1.2' }],
      provider: { name: 'Cloudflare', url: 'https://dash.cloudflare.com/' },
    }),
  },
  {
    name: 'biscuit.example',
    state: 'pending',
    verdict: wrong('ownership_required', { expected: ['019ab2f0-5d1c-7c3a-9d2e-6f0e77aa12bc'] }),
  },
  { name: 'taken.paws.example', state: 'pending', verdict: wrong('claimed_elsewhere') },
  { name: 'resting.paws.example', state: 'stale', verdict: wrong('record_missing') },
  { name: 'left.paws.example', state: 'drifted', verdict: wrong('record_missing'), certificate: 'issued' },
  { name: 'soon.paws.example', state: 'live', verdict: right, certificate: 'issuing' },
  { name: 'www.paws.example', state: 'live', verdict: right, certificate: 'issued' },
  { name: 'ending.paws.example', state: 'live', verdict: right, certificate: 'expiring' },
  { name: 'crate.paws.example', state: 'live', verdict: right, certificate: 'caa_blocks' },
  { name: 'late.paws.example', state: 'live', verdict: right, certificate: 'overdue' },
  ...(
    [
      'dns_unreachable',
      'validation_failed',
      'ca_rate_limited',
      'ca_unreachable',
      'ca_refused',
      'too_many_orders',
      'key_unreadable',
    ] as const
  ).map(code => ({
    name: `${code.replaceAll('_', '-')}.paws.example`,
    state: 'live' as const,
    verdict: right,
    certificate: code,
  })),
]

/**
 * Writes the rows directly, because DNS and the authority would take days for some states. Jobs ignore the rows for a
 * day.
 */
export async function furnishDomains({ db, clock, hosting }: Tools, project: Project): Promise<void> {
  const now = clock.now()
  const later = new Date(now + 86_400_000)
  const hourAgo = new Date(now - 3_600_000)
  await deploy(db, hosting, project, { title: 'Biscuit and friends' })
  const pem = await makeRoot(clock)
  const chain = pem.slice(pem.indexOf('-----BEGIN CERTIFICATE-----'))
  for (const { name, state, verdict, certificate } of furnished) {
    await addDomain(db, hosting, project, { name })
    const owned = certificate !== undefined
    await db.domain.updateMany({
      where: { projectId: project.id, name },
      data: {
        state,
        nextLookAt: state === 'stale' ? null : later,
        ...(verdict && { verdict, lookedAt: hourAgo }),
        ...(owned && { ownedName: name, verifiedAt: hourAgo }),
        ...(state === 'drifted' && { driftedAt: hourAgo }),
      },
    })
    if (!certificate) continue
    const has = ['issued', 'expiring'].includes(certificate)
    const code = certificate === 'expiring' ? 'ca_unreachable' : certificate
    const isFine = certificate === 'issued' || certificate === 'issuing' || certificate === 'overdue'
    await db.certificate.create({
      data: {
        name,
        wantedSince: certificate === 'issuing' ? new Date(now) : hourAgo,
        nextStepAt: later,
        ...(has && {
          chain,
          sealedKey: await hosting.seal.close(
            pem.slice(0, pem.indexOf('-----BEGIN CERTIFICATE-----')),
            `certificate:${name}`,
          ),
          notBefore: hourAgo,
          notAfter: new Date(now + 20 * 86_400_000),
          renewAt: later,
        }),
        ...(!isFine && {
          attempts: 2,
          problem: {
            code,
            message: `What is said of ${code.replaceAll('_', ' ')}, in a sentence.`,
            record: code === 'caa_blocks' ? caa : null,
          },
        }),
      },
    })
  }
}
