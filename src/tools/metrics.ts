import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const answers = new Histogram({
    name: 'animal_store_request_seconds',
    help: 'Answered requests by method, route and status, and how long they took.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  // Counted here and told when somebody asks: a flood of refusals is to cost little.
  const refused = { limited: 0, banned: 0 }
  new Counter({
    name: 'animal_store_refusals_total',
    help: 'Requests refused by the limiter: over a limit, or by a banned key.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(refused)) this.inc({ reason }, count)
    },
  })
  const bans = new Counter({ name: 'animal_store_bans_total', help: 'Bans begun.', registers })
  // A series' labels are looked up once: hashing them anew for each request costs more than counting it.
  const series = new Map<string, ReturnType<typeof answers.labels>>()

  return {
    countAnswer(
      method: string,
      route: string,
      status: number,
      seconds: number,
      refusal: 'limited' | 'banned' | null,
    ) {
      const key = `${method} ${route} ${status}`
      const one = series.get(key) ?? answers.labels(method, route, String(status))
      series.set(key, one)
      one.observe(seconds)
      if (refusal) refused[refusal]++
    },
    countBan: () => bans.inc(),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
