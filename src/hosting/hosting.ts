import { randomBytes } from 'node:crypto'
import { getServers } from 'node:dns'
import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { LookAtDns } from '../core/verdicts.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { claimDueCertificates } from '../jobs/certificate-lease.ts'
import { issueCertificate } from '../jobs/issue-certificates.ts'
import { lookAtDomains } from '../jobs/look-at-domains.ts'
import { tidy } from '../jobs/tidy.ts'
import { startWorker } from '../jobs/worker.ts'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import { openAcme } from './acme.ts'
import type { CertificateAuthority } from './certificate-authority.ts'
import { openDns } from './dns.ts'
import type { DnsServer } from './dns-question.ts'
import { type Hosts, openHosts } from './hosts.ts'
import { keepFile } from './kept-file.ts'
import { openLocalCa } from './local-ca.ts'
import { makeSeal, type Seal } from './sealing.ts'
import { openLookAtDns } from './verdict.ts'

/** What serving custom domains stands on: DNS, an authority, the hosts, and the jobs that keep them in order. */
export type Hosting = {
  platformHost: string
  clock: Clock
  lookAtDns: LookAtDns
  hosts: Hosts
  seal: Seal
  authority: CertificateAuthority
  /** Begins to serve hosts and to work; the tables have to be there. */
  start(): void
  /** Has due certificates seen to at once. */
  wake(): void
  close(): Promise<void>
}

type Stands = { config: Config; db: PrismaClient; clock: Clock; log: Logger }

export async function openHosting({ config, db, clock, log }: Stands): Promise<Hosting> {
  const { platformHost, dnsServers, acme } = config.hosting
  const dns = openDns(dnsServers ?? systemServers())
  const seal = makeSeal(config.hosting.secretsKeys ?? [await keepSecretsKey(config.dataDir)])
  const authority = acme
    ? openAcme({ ...acme, trustedRoots: acme.caFile && readFileSync(acme.caFile, 'utf8'), db, seal, clock })
    : await openLocalCa(config.dataDir, platformHost, clock)
  const lookAtDns = openLookAtDns(dns)
  const hosts = openHosts(db, clock, log, platformHost)
  const tools = { db, clock, log, dns, seal, authority, lookAtDns, platformHost }
  let wake = () => {}
  let stopWorkers = async () => {}

  return {
    platformHost,
    clock,
    lookAtDns,
    hosts,
    seal,
    authority,
    wake: () => wake(),
    start() {
      hosts.start()
      const certificates = startWorker(log, {
        everyMs: 1_000,
        mostAtOnce: 5,
        claim: most => claimDueCertificates(db, clock, most),
        run: ({ name, leasedUntil }, signal) => issueCertificate(tools, name, leasedUntil, signal),
      })
      wake = certificates.wake
      const looks = startWorker(log, lookAtDomains(tools, wake))
      const tidying = startWorker(log, tidy(db, clock))
      stopWorkers = async () => {
        await Promise.all([looks.close(), certificates.close(), tidying.close()])
      }
    },
    async close() {
      await stopWorkers()
      await hosts.close()
    },
  }
}

function systemServers(): DnsServer[] {
  return getServers().map(server => {
    const [, bracketed, port] = /^\[(.+)\]:(\d+)$/.exec(server) ?? /^([0-9.]+):(\d+)$/.exec(server) ?? []
    return { address: bracketed ?? server, port: Number(port ?? 53) }
  })
}

async function keepSecretsKey(dataDir: string): Promise<Buffer> {
  return Buffer.from(
    await keepFile(dataDir, 'secrets.key', () => randomBytes(32).toString('base64')),
    'base64',
  )
}
