import { describe, expect, test } from 'vitest'
import { openMetrics } from '../../src/tools/metrics.ts'

describe('the measurements of a process', () => {
  test('an answer is counted in its bucket and in every larger one, and its duration is added', () => {
    const metrics = openMetrics()
    const labels = 'method="GET",route="/v1/pets",status="200"'
    for (const seconds of [0.0005, 0.25, 0.3, 20]) {
      metrics.countAnswer('GET', '/v1/pets', 200, seconds, null)
    }
    metrics.countAnswer('POST', '/v1/pets', 201, 1, null)
    const bucket = (end: string) => `animal_store_request_seconds_bucket{le="${end}",${labels}}`

    const lines = metrics.text().split('\n')

    expect(lines).toContain(`${bucket('0.001')} 1`)
    expect(lines).toContain(`${bucket('0.1')} 1`)
    expect(lines).toContain(`${bucket('0.25')} 2`)
    expect(lines).toContain(`${bucket('10')} 3`)
    expect(lines).toContain(`${bucket('+Inf')} 4`)
    expect(lines).toContain(`animal_store_request_seconds_sum{${labels}} 20.5505`)
    expect(lines).toContain(`animal_store_request_seconds_count{${labels}} 4`)
  })

  test('refusals are counted by reason, and bans separately', () => {
    const metrics = openMetrics()
    metrics.countAnswer('GET', '/v1/pets', 429, 0.001, 'limited')
    metrics.countAnswer('GET', '/v1/pets', 429, 0.001, 'banned')
    metrics.countAnswer('GET', '/v1/pets', 429, 0.001, 'banned')
    metrics.countBan()

    const lines = metrics.text().split('\n')

    expect(lines).toContain('animal_store_refusals_total{reason="limited"} 1')
    expect(lines).toContain('animal_store_refusals_total{reason="banned"} 2')
    expect(lines).toContain('animal_store_bans_total 1')
  })

  test('charges are counted by the store that decided them: Redis or this process', () => {
    const metrics = openMetrics()
    for (const store of ['redis', 'redis', 'memory'] as const) metrics.countCharge(store)

    const lines = metrics.text().split('\n')

    expect(lines).toContain('animal_store_charges_total{counted_in="redis"} 2')
    expect(lines).toContain('animal_store_charges_total{counted_in="memory"} 1')
  })

  test('metrics are lines that Prometheus reads: a name, labels and a number', () => {
    const metrics = openMetrics()
    metrics.countAnswer('GET', '/v1/pets', 200, 0.001, null)

    const lines = metrics.text().trimEnd().split('\n')

    expect(lines.filter(line => !line.startsWith('# '))).not.toHaveLength(0)
    for (const line of lines)
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [\d.]+)$/)
  })

  test('each metric has the unit that its name says: seconds for durations, and counts for totals and sealed keys', () => {
    const metrics = openMetrics()
    metrics.changes.readBeganAt = performance.now() - 5_000
    Object.assign(metrics.changes, { lateReads: 2, timesForgotten: 3 })
    Object.assign(metrics.sealed, { older: 4, unreadable: 5 })
    metrics.countAuthorityRefusal('ca_refused')
    metrics.countRedis(0.25)

    const lines = metrics.text().split('\n')
    const behind = lines.find(line => line.startsWith('animal_store_changes_behind_seconds '))

    expect(Number(behind?.split(' ')[1])).toBeGreaterThanOrEqual(5)
    expect(Number(behind?.split(' ')[1])).toBeLessThan(100)
    for (const line of [
      'animal_store_changes_late_looks_total 2',
      'animal_store_changes_forgotten_total 3',
      'animal_store_sealed_with_older_key 4',
      'animal_store_sealed_unreadable 5',
      'animal_store_authority_refusals_total{code="ca_refused"} 1',
      'animal_store_authority_refusals_total{code="validation_failed"} 0',
      'animal_store_redis_seconds_sum 0.25',
      'animal_store_redis_seconds_count 1',
      'animal_store_redis_seconds_bucket{le="0.25"} 1',
      'animal_store_redis_seconds_bucket{le="0.1"} 0',
    ])
      expect(lines).toContain(line)
  })

  test('each metric has a name of its own', () => {
    const metrics = openMetrics()
    const times = (count: number, act: () => void) => Array.from({ length: count }, act)
    Object.assign(metrics.requests, { inFlight: 2 })
    Object.assign(metrics.pages, { hits: 3, misses: 4 })
    times(5, () => metrics.countBan())
    times(6, () => metrics.countCharge('redis'))
    times(7, () => metrics.countCharge('memory'))
    times(8, () => metrics.countAnswer('GET', '/', 429, 0.1, 'limited'))
    times(9, () => metrics.countAnswer('GET', '/', 429, 0.1, 'banned'))
    times(10, () => metrics.countAuthorityRefusal('ca_rate_limited'))
    times(11, () => metrics.countAuthorityRefusal('ca_unreachable'))
    times(12, () => metrics.countAuthorityRefusal('ca_refused'))
    times(13, () => metrics.countAuthorityRefusal('validation_failed'))
    times(14, () => metrics.countRedis(1))
    Object.assign(metrics.changes, { lateReads: 15, timesForgotten: 16 })
    Object.assign(metrics.sealed, { older: 17, unreadable: 18 })
    metrics.countClosedTls(19)

    const lines = metrics.text().trimEnd().split('\n')
    const counts = lines.filter(line => !/^#|_bucket|_sum|behind_seconds|dropped/.test(line))

    expect(counts).toEqual([
      'animal_store_request_seconds_count{method="GET",route="/",status="429"} 17',
      'animal_store_requests_in_flight 2',
      'animal_store_page_cache_requests_total{outcome="hit"} 3',
      'animal_store_page_cache_requests_total{outcome="miss"} 4',
      'animal_store_redis_seconds_count 14',
      'animal_store_refusals_total{reason="limited"} 8',
      'animal_store_refusals_total{reason="banned"} 9',
      'animal_store_bans_total 5',
      'animal_store_charges_total{counted_in="redis"} 6',
      'animal_store_charges_total{counted_in="memory"} 7',
      'animal_store_changes_late_looks_total 15',
      'animal_store_changes_forgotten_total 16',
      'animal_store_authority_refusals_total{code="ca_rate_limited"} 10',
      'animal_store_authority_refusals_total{code="ca_unreachable"} 11',
      'animal_store_authority_refusals_total{code="ca_refused"} 12',
      'animal_store_authority_refusals_total{code="validation_failed"} 13',
      'animal_store_tls_connections_closed_total 19',
      'animal_store_connections_refused_total 0',
      'animal_store_sealed_with_older_key 17',
      'animal_store_sealed_unreadable 18',
    ])
    const types = Object.fromEntries(
      lines.flatMap(line =>
        line.startsWith('# TYPE ') ? [line.slice(7).split(' ') as [string, string]] : [],
      ),
    )
    for (const [name, type] of Object.entries(types)) {
      const expected = name.endsWith('_total')
        ? 'counter'
        : /request_s|redis_s/.test(name)
          ? 'histogram'
          : 'gauge'
      expect([name, type]).toEqual([name, expected])
    }
  })

  test('until the service knows how many private keys are sealed with an older key of SECRETS_KEY, the metrics omit the number of these keys', () => {
    const text = openMetrics().text()

    expect(text).not.toMatch(/^animal_store_sealed_with_older_key/m)
    expect(text).toMatch(/^animal_store_sealed_unreadable 0$/m)
    expect(text).toMatch(/^animal_store_changes_behind_seconds 0\.\d+$/m)
  })

  test('each duration bucket includes the durations that equal its end', () => {
    const metrics = openMetrics()
    const ends = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    for (const seconds of [...ends, 10.001]) metrics.countRedis(seconds)

    const buckets = [...metrics.text().matchAll(/redis_seconds_bucket{le="(.*)"} (\d+)/g)]

    expect(buckets.map(([, end, count]) => [end, Number(count)])).toEqual(
      [...ends, '+Inf'].map((end, i) => [String(end), i + 1]),
    )
  })
})
