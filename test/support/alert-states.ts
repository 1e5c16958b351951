import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { endpointLabel } from '../../src/core/events/endpoints.ts'
import { accountLabel, makeSeal } from '../../src/hosting/seal.ts'
import type { Cause } from './alert-causes.ts'
import { inBase64, repeat, secretsKeys } from './alert-ground.ts'

/**
 * Causes that the test imitates. The test writes rows like the rows that a fault of several days would leave, or
 * changes the metrics that the test serves in place of other exporters.
 */
export const causesByState: Cause[] = [
  {
    alerts: ['AnimalStoreKeysUnreadable', 'AnimalStoreOlderKey'],
    fault: 'SECRETS_KEY lacks a key that has sealed a row, and another process has only the older key',
    async begin(ground) {
      const older = secretsKeys.slice(1)
      const account = (url: string, keys: Buffer[]) =>
        `('${url}', '\\x${Buffer.from(makeSeal(keys).close('a key', accountLabel(url))).toString('hex')}')`
      const rows = [account('https://older.test', older), account('https://lost.test', [randomBytes(32)])]
      await ground.write(`INSERT INTO acme_accounts (directory_url, sealed_key) VALUES ${rows}`)
      const another = await ground.startAnother({ SECRETS_KEY: inBase64(older) })
      // Restart, because a process that found nothing to reseal searches again only after five minutes.
      await ground.restart()
      return async () => {
        another.child.kill('SIGTERM')
        await another.ended
        await ground.write("DELETE FROM acme_accounts WHERE directory_url = 'https://lost.test'")
      }
    },
  },
  {
    alerts: ['AnimalStoreCertificateEnds', 'AnimalStoreCertificatesLate'],
    fault: 'certificates end in three days (rows)',
    isQuiet: true,
    async begin({ write }) {
      const endIn = (days: number) =>
        write(
          `UPDATE certificates SET not_after = now() + interval '${days} days' WHERE name LIKE 'live-%.example'`,
        )
      await endIn(3)
      return () => endIn(60)
    },
  },
  {
    alerts: ['AnimalStoreOrderStuck'],
    fault: 'an order at the certificate authority is open for two hours (a row)',
    isQuiet: true,
    async begin({ write }) {
      const stuck = "WHERE name = 'live-1.example'"
      await write(`UPDATE certificates SET order_url = 'https://127.0.0.1:9/order/1',
        ordered_at = now() - interval '2 hours' ${stuck}`)
      return () => write(`UPDATE certificates SET order_url = NULL, ordered_at = NULL ${stuck}`)
    },
  },
  {
    alerts: ['AnimalStoreDomainsDrift'],
    fault: 'half of the domains point elsewhere (rows)',
    isQuiet: true,
    async begin({ write }) {
      const drift = (state: string, at: string) =>
        write(`UPDATE domains SET state = '${state}', drifted_at = ${at} WHERE name LIKE 'live-1%.example'`)
      await drift('drifted', 'now()')
      return () => drift('live', 'NULL')
    },
  },
  {
    alerts: ['AnimalStoreWebhooksFail'],
    fault: 'six of eight webhook endpoints fail (rows)',
    isQuiet: true,
    async begin({ write, client }) {
      const rows = Array.from({ length: 8 }, (_, n) => {
        const id = randomUUID()
        const sealed = makeSeal(secretsKeys).close('whsec_AAAA', endpointLabel(id))
        const secret = `'\\x${Buffer.from(sealed).toString('hex')}'`
        return `('${id}', ${client.project.id}, 'https://hook.test/', '{}', ${secret}, 1e15, now(), ${n < 6 ? 'now()' : 'NULL'})`
      })
      await write(`INSERT INTO webhook_endpoints
        (id, project_id, url, types, sealed_secret, delivered, leased_until, failing_since) VALUES ${rows}`)
      return () => write('DELETE FROM webhook_endpoints')
    },
  },
  {
    alerts: ['AnimalStoreAuthorityRefuses'],
    fault: 'the certificate authority is away',
    isQuiet: true,
    async begin({ write }) {
      const mine = "name LIKE 'away-%.example'"
      await write(`INSERT INTO certificates (name, wanted_since, next_step_at)
        SELECT format('away-%s.example', n), now(), now() FROM generate_series(1, 15) n`)
      const stop = repeat(async () => {
        await write(`UPDATE certificates SET next_step_at = now() WHERE ${mine}`)
        await pause(2_000)
      })
      return async () => {
        await stop()
        await write(`DELETE FROM certificates WHERE ${mine}`)
      }
    },
  },
  {
    alerts: ['AnimalStoreJobsWait'],
    fault: 'the name servers of DNS_SERVERS answer nothing, while a thousand domains are to be checked',
    isQuiet: true,
    async begin({ write, client }) {
      await write(`INSERT INTO domains (id, project_id, name, created_at, looks_since, next_look_at)
        SELECT gen_random_uuid(), ${client.project.id}, format('due-%s.example', n), now(), now(), now()
        FROM generate_series(1, 1000) n`)
      return () => write("DELETE FROM domains WHERE name LIKE 'due-%.example'")
    },
  },
  {
    alerts: ['AnimalStoreReplicaBehind'],
    fault: 'the page of postgres_exporter says 90 seconds (served by the test)',
    isQuiet: true,
    async begin({ figures }) {
      figures.replicaLagSeconds = 90
      return async () => {
        figures.replicaLagSeconds = 0
      }
    },
  },
  {
    alerts: ['AnimalStoreBackupOld'],
    fault: 'the page of node_exporter says that the last backup is 27 hours old (served by the test)',
    isQuiet: true,
    async begin({ figures }) {
      figures.backupAgeSeconds = 27 * 3600
      return async () => {
        figures.backupAgeSeconds = 0
      }
    },
  },
]
