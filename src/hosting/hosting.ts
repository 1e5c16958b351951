import { getServers } from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { OrderBounds } from '../core/certificates/orders.ts'
import type { CheckDns, FindZone } from '../core/hosts/dns-verdict.ts'
import type { NameRules } from '../core/hosts/names.ts'
import type { Changes } from '../database/changes.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import { readTrustedRoots } from '../tools/trusted-roots.ts'
import { findOrCreateAccountKey } from './account-key.ts'
import type { Authorities } from './certificate-authority.ts'
import { findZoneName, openDnsCheck } from './check-dns.ts'
import { type Dns, openDns } from './dns.ts'
import type { DnsServer } from './dns-question.ts'
import { type Hosts, openHosts } from './hosts.ts'
import { type ClaimedSeal, openSeal } from './seal-claim.ts'
import { givenKeys, type SecretsKeys, storedKeys } from './secrets-key.ts'

/** The parts that serve custom domains: DNS, certificate authority, sealed keys and hosts. */
export type Hosting = {
  platformHost: string
  nameRules: NameRules
  clock: Clock
  dns: Dns
  checkDns: CheckDns
  findZone: FindZone
  hosts: Hosts
  seal: ClaimedSeal
  authorities: Authorities
  orderBounds: OrderBounds
}

type Stands = { config: Config; db: PrismaClient; clock: Clock; changes: Changes; log: Logger }

export async function openHosting({ config, db, clock, changes, log }: Stands): Promise<Hosting> {
  const { platformHost } = config
  const { dnsServers } = config.hosting
  const dns = openDns(dnsServers ?? systemServers(), config.hosting.suffixes)
  const seal = openSeal(db, secretsKeysOf(config, log), log)
  const authorities = await openAuthorities(config, { db, seal, clock })
  return {
    platformHost,
    nameRules: { platformHost, ownHosts: ownHostsOf(config), suffixes: config.hosting.suffixes },
    clock,
    dns,
    checkDns: openDnsCheck(dns, config.hosting.platformAddresses),
    findZone: name => findZoneName(dns, name),
    hosts: openHosts({ db, clock, changes, platformHost }),
    seal,
    authorities,
    orderBounds: config.hosting.orderBounds,
  }
}

/** Loads either the local authority or ACME, because loading both would slow the start. */
async function openAuthorities(
  { hosting: { acme }, dataDir, platformHost }: Config,
  tools: { db: PrismaClient; seal: ClaimedSeal; clock: Clock },
): Promise<Authorities> {
  if (!acme) {
    const { localDirectory, openLocalCa } = await import('./local-ca.ts')
    const keep = (make: () => Promise<string>) =>
      findOrCreateAccountKey(
        tools.db,
        tools.seal,
        localDirectory,
        async () => readOldAuthority(dataDir) ?? make(),
      )
    return [openLocalCa(async make => (await keep(make)).key, platformHost, tools.clock)]
  }
  const { openAcme } = await import('./acme.ts')
  const trustedRoots = acme.caFile && readTrustedRoots('ACME_CA_FILE', acme.caFile)
  const [first, ...others] = acme.authorities
  const open = (one: typeof first) => openAcme(one, { ...tools, trustedRoots })
  return [open(first), ...others.map(open)]
}

function ownHostsOf({ publicUrl, stagingUrl }: Config): string[] {
  return [publicUrl, ...(stagingUrl ? [stagingUrl] : [])].map(url => new URL(url).hostname.replace(/\.$/, ''))
}

function systemServers(): DnsServer[] {
  return getServers().map(server => {
    const [, bracketed, port] = /^\[(.+)\]:(\d+)$/.exec(server) ?? /^([0-9.]+):(\d+)$/.exec(server) ?? []
    return { address: bracketed ?? server, port: Number(port ?? 53) }
  })
}

function secretsKeysOf({ hosting, dataDir, databaseUrl }: Config, log: Logger): SecretsKeys {
  // Read the configured keys on each call of `read`, because SIGHUP replaces these keys while the process runs.
  if (hosting.secretsKeys) return givenKeys(() => hosting.secretsKeys ?? [])
  return storedKeys(dataDir, file => {
    // Without DATABASE_URL, no warning is needed: the database is in the same folder as the key, so both are moved
    // together.
    if (databaseUrl === null) return
    log.warn(`The key that encrypts private keys is kept in ${file}: give it to all processes as SECRETS_KEY`)
  })
}

/** Reads the local authority where earlier versions stored it, because the user's browsers may trust it already. */
function readOldAuthority(dataDir: string): string | null {
  const file = join(dataDir, 'local-ca.pem')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
