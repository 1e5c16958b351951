import { type DomainFigures, readDomainFigures } from '../core/domains/stats.ts'
import { isDatabaseUnavailable } from '../database/faults.ts'
import type { Tools } from '../tools.ts'

/** In milliseconds. The figures change slowly, and the query reads every domain. */
const maxAgeMs = 30_000

/** Returns metrics of all domains in Prometheus' format; '' if the database is unavailable. */
export function openDomainMetrics({ db, clock, log }: Pick<Tools, 'db' | 'clock' | 'log'>): {
  text(): Promise<string>
} {
  let read: { figures: Promise<DomainFigures>; until: number } | null = null

  async function figuresNow(): Promise<DomainFigures> {
    if (!read || read.until <= clock.now()) {
      read = { figures: readDomainFigures(db, new Date(clock.now())), until: clock.now() + maxAgeMs }
    }
    return read.figures
  }

  return {
    async text() {
      try {
        return textOf(await figuresNow(), clock.now())
      } catch (error) {
        read = null
        if (!isDatabaseUnavailable(error)) log.error({ error }, 'the domains cannot be counted')
        return ''
      }
    },
  }
}

function textOf({ domains, certificates }: DomainFigures, now: number): string {
  const { soonestEnd, oldestOrder, expiringWithin } = certificates
  const soonest = soonestEnd
    ? `animal_store_certificate_expires_seconds ${(soonestEnd.getTime() - now) / 1000}\n`
    : ''
  const orderAge = oldestOrder ? Math.max(0, now - oldestOrder.getTime()) / 1000 : 0
  return `# HELP animal_store_domains Custom domains of all projects by state; the same from every process.
# TYPE animal_store_domains gauge
${Object.entries(domains)
  .map(([state, count]) => `animal_store_domains{state="${state}"} ${count}\n`)
  .join('')}\
# HELP animal_store_certificate_expires_seconds Seconds until the first certificate in use expires; negative if it has expired.
# TYPE animal_store_certificate_expires_seconds gauge
${soonest}\
# HELP animal_store_certificates_expiring Certificates in use that expire within this number of days, including expired ones.
# TYPE animal_store_certificates_expiring gauge
${expiringWithin.map(({ days, count }) => `animal_store_certificates_expiring{within_days="${days}"} ${count}\n`).join('')}\
# HELP animal_store_certificate_order_age_seconds Age of the oldest pending order at the certificate authority; 0 without one.
# TYPE animal_store_certificate_order_age_seconds gauge
animal_store_certificate_order_age_seconds ${orderAge}
`
}
