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
})
