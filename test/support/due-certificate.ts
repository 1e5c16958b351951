import acme from 'acme-client'
import { beforeAll, beforeEach, vi } from 'vitest'
import { openOutage } from '../../src/database/outage.ts'
import type { Certificate, Project } from '../../src/generated/prisma/client.ts'
import type { CertificateAuthority, OrderStep } from '../../src/hosting/certificate-authority.ts'
import { makeRoot, signLeaf } from '../../src/hosting/local-signing.ts'
import { certificateLabel, makeSeal } from '../../src/hosting/seal.ts'
import { openSeal } from '../../src/hosting/seal-claim.ts'
import { givenKeys } from '../../src/hosting/secrets-key.ts'
import { claimDueCertificates } from '../../src/jobs/certificate-lease.ts'
import type { CertificateTools } from '../../src/jobs/certificate-tools.ts'
import { issueCertificate } from '../../src/jobs/issue-certificates.ts'
import type { Clock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { openMetrics } from '../../src/tools/metrics.ts'
import { movableClock } from './clock.ts'
import { dnsThatAnswers } from './dns-double.ts'
import { prepareOwnDatabase } from './open-database.ts'

const secretsKey = Buffer.alloc(32, 7)
const noRecords = dnsThatAnswers(() => [])

/** For each test of a group, prepares a verified name and runs the certificate job on it. */
export function prepareDueCertificate() {
  const own = prepareOwnDatabase()
  const seal = makeSeal([secretsKey])
  const log = openLog('silent')
  const infos = vi.spyOn(log, 'info').mockImplementation(() => {})
  const warnings = vi.spyOn(log, 'warn').mockImplementation(() => {})
  const errors = vi.spyOn(log, 'error').mockImplementation(() => {})
  const due: { clock: Clock; name: string; project: Project } = {
    ...{ clock: movableClock(), name: '', project: {} as Project },
  }
  let root: string
  let rounds = 0
  beforeAll(async () => {
    root = await makeRoot(movableClock())
  })
  beforeEach(async () => {
    due.clock = movableClock()
    due.name = `www.shop-${++rounds}.test`
    await own.db.certificate.deleteMany()
    due.project = await own.makeProject()
    await own.giveDomain(due.project, due.name)
    for (const lines of [infos, warnings, errors]) lines.mockClear()
  })

  const at = (ms: number) => new Date(due.clock.now() + ms)
  const sign = (csr: Buffer, of = due.name) => signLeaf(root, of, csr, due.clock)

  /** A double of an authority, which issues at once. */
  const double = (host: string, changes: Partial<CertificateAuthority> = {}): CertificateAuthority => ({
    ...{ directoryUrl: `https://${host}/dir`, host, root: null },
    issuer: async () => ({ identities: [], accountUrl: null }),
    startOrder: async () => `https://${host}/order/1`,
    adviseRenewal: async () => null,
    isRevoked: async () => false,
    advance: async (_name, _url, csr): Promise<OrderStep> => ({ outcome: 'issued', chain: await sign(csr) }),
    ...changes,
  })

  /** Only the authority is a double; everything else is the service's own. */
  async function issue(
    authority: Partial<CertificateAuthority> = {},
    signal = new AbortController().signal,
    others: Partial<CertificateTools> = {},
  ) {
    const metrics = openMetrics()
    const tools = {
      ...{ db: own.db, clock: due.clock, log, metrics, dns: noRecords },
      seal: openSeal(
        own.db,
        givenKeys(() => [secretsKey]),
        log,
      ),
      database: { outage: openOutage(), run: own.database.run },
      orderBounds: { perHour: 3, perDay: 5 },
      authorities: [double('ca.test', authority)] as const,
      ...others,
    }
    const [leased] = await claimDueCertificates(own.db, due.clock, 1)
    if (leased?.name !== due.name) throw new Error(`${due.name} was not due`)
    await issueCertificate(tools, due.name, leased.leasedUntil, signal)
    const counts = [...metrics.text().matchAll(/refusals_total\{code="(\w+)"\} 1/g)].map(([, code]) => code)
    return { refusals: counts }
  }

  return {
    ...{ own, due, at, sign, double, issue, infos, warnings, errors },
    row: () => own.db.certificate.findUniqueOrThrow({ where: { name: due.name } }),
    sealKey: (key: string, keys = [secretsKey]) => makeSeal(keys).close(key, certificateLabel(due.name)),
    openKey: (sealed: Uint8Array | null) => seal.open(sealed ?? new Uint8Array(), certificateLabel(due.name)),
    want: (data: Partial<Certificate> = {}) =>
      own.db.certificate.create({
        data: { name: due.name, wantedSince: at(0), nextStepAt: at(0), ...data } as never,
      }),
    /** Simulates an order that began this long ago. */
    orderedFor: async (ms: number) => {
      const key = (await acme.crypto.createPrivateEcdsaKey()).toString()
      const sealedOrderKey = seal.close(key, certificateLabel(due.name))
      return { orderUrl: 'https://ca.test/order/0', wantedSince: at(-ms), orderedAt: at(-ms), sealedOrderKey }
    },
    stopClock(): void {
      const fixed = due.clock.now()
      due.clock = { ...due.clock, now: () => fixed }
    },
    ordersTaken: () => own.db.certificateOrder.count({ where: { name: due.name } }),
  }
}
