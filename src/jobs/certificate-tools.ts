import type { OrderBounds } from '../core/certificates/orders.ts'
import type { Database } from '../database/database.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { Authorities } from '../hosting/certificate-authority.ts'
import type { Dns } from '../hosting/dns.ts'
import type { ClaimedSeal } from '../hosting/seal-claim.ts'
import type { Clock } from '../tools/clock.ts'
import type { Logger } from '../tools/log.ts'
import type { Metrics } from '../tools/metrics.ts'

export type CertificateTools = {
  db: PrismaClient
  clock: Clock
  log: Logger
  metrics: Metrics
  database: Pick<Database, 'outage' | 'run'>
  dns: Dns
  seal: ClaimedSeal
  authorities: Authorities
  orderBounds: OrderBounds
}
