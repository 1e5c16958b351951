import { describe, expect, test } from 'vitest'
import { openMetrics } from '../../src/tools/metrics.ts'

describe('the measurements of a process', () => {
  test('count an answer in its bucket and in every larger one, and add up how long they took', () => {
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

  test('tell refusals by their reason, and bans', () => {
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

  test('tell how many charges Redis decided, and how many this process alone', () => {
    const metrics = openMetrics()
    for (const store of ['redis', 'redis', 'memory'] as const) metrics.countCharge(store)

    const lines = metrics.text().split('\n')

    expect(lines).toContain('animal_store_charges_total{counted_in="redis"} 2')
    expect(lines).toContain('animal_store_charges_total{counted_in="memory"} 1')
  })

  test('are lines that Prometheus reads: each a name, its labels and a number', () => {
    const metrics = openMetrics()
    metrics.countAnswer('GET', '/v1/pets', 200, 0.001, null)

    const lines = metrics.text().trimEnd().split('\n')

    expect(lines.filter(line => !line.startsWith('# '))).not.toHaveLength(0)
    for (const line of lines)
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? [\d.]+)$/)
  })

  test('what the log of changes, refusals and keys are told in is what their names say', () => {
    const metrics = openMetrics()
    metrics.changes.lookBeganAt = performance.now() - 5_000
    Object.assign(metrics.changes, { lateLooks: 2, timesForgotten: 3 })
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
})
