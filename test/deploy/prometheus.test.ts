import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse, stringify } from 'yaml'
import { reasons } from '../../src/database/faults.ts'
import { freshRedis } from '../support/databases.ts'
import { findProgram, freePort, type Program, recordUse, startProgram } from '../support/programs.ts'
import { type App, startApp } from '../support/start-app.ts'
import { typeCommand } from '../support/type-command.ts'

type Panel = { title: string; targets: { expr: string }[] }
type Rule = { alert: string; expr: string; annotations: { runbook_url?: string } }

const panels: Panel[] = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')).panels
const groups: { rules: (Rule | { record: string })[] }[] = parse(
  readFileSync('deploy/prometheus/alerts.yaml', 'utf8'),
).groups
const alertsOf = (rules: (Rule | { record: string })[] = []) =>
  rules.filter((rule): rule is Rule => 'alert' in rule)
const alerts = groups.flatMap(({ rules }) => alertsOf(rules))
/** The rules that use our own metrics. The other rules use metrics of other exporters. */
const ownRules = (groups[0]?.rules ?? []) as Rule[]
/** Only the parent process of a service with PROCESSES has these metrics, which test/processes reads. */
const ofParent = ['animal_store_processes', 'animal_store_process_deaths_total']
const runbook = readFileSync('docs/runbook.md', 'utf8')
const pages = runbook.split(/^## /m).slice(1)

describe('the runbook', () => {
  it('each alert links to its page of the runbook, and each page has an alert', () => {
    const named = pages.map(page => page.split('\n')[0] ?? '')

    expect([...named].sort()).toEqual(alerts.map(({ alert }) => alert).sort())
    expect(alerts.map(({ annotations }) => annotations.runbook_url)).toEqual(
      alerts.map(({ alert }) => `docs/runbook.md#${alert.toLowerCase()}`),
    )
  })

  it.each(pages.map(page => [page.split('\n')[0], page]))(
    'the page of %s has the symptom, what users see, three commands with output, and when the alert is over',
    (_name, page) => {
      const commands = [...page.matchAll(/^\$ .+\n(?!\$|```)./gm)]

      expect([...page.matchAll(/^\*\*(.+?)\.\*\* ./gm)].map(([, part]) => part)).toEqual([
        'Symptom',
        'Users see',
        'Stop the bleeding',
        'Over when',
      ])
      expect(commands).toHaveLength(3)
    },
  )

  it('with the options in the runbook, SIGUSR2 writes a heap snapshot into the data folder', () => {
    const [, options = ''] = /NODE_OPTIONS='([^']+)'/.exec(runbook) ?? []
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-heap-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const code = `process.kill(process.pid, 'SIGUSR2')
      const wait = setInterval(() => fs.readdirSync(process.argv[1]).length > 0 && clearInterval(wait), 10)`
    const env = { NODE_OPTIONS: options.replace('/var/lib/animal-store', folder) }

    execFileSync(process.execPath, ['-e', code, folder], { env, timeout: 60_000 })

    expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.heapsnapshot$/)])
  })

  it('each reason why the database cannot serve has an entry', () => {
    const heads = [...runbook.matchAll(/^- (`.+?`(?:, `.+?`)*): /gm)].map(([, head]) => head).join()

    expect(reasons.filter(reason => !heads.includes(`\`${reason}\``))).toEqual([])
  })

  it.each([...runbook.matchAll(/^\$ (logs \| .*tail -\d+)\n((?:\{.*\n)+)/gm)].map(([, ...parts]) => parts))(
    'the search finds the log lines that the runbook shows below it: %s',
    async (search, shown = '') => {
      const { stdout } = await typeCommand(`logs() { printf %s "$SHOWN"; }; ${search}`, { SHOWN: shown })

      expect(stdout).toBe(shown)
    },
  )
})

describe.skipIf(!findProgram('promtool'))('the alerts', () => {
  const promtool = (...args: string[]) => {
    recordUse('promtool')
    return execFileSync('promtool', args, { encoding: 'utf8' })
  }

  it('Prometheus accepts the alert rules', () => {
    const count = groups.flatMap(({ rules }) => rules).length

    expect(promtool('check', 'rules', 'deploy/prometheus/alerts.yaml')).toContain(`${count} rules found`)
  })

  it('each alert fires in time, and a low error rate fires an alert, but a quiet store and a single failure fire none', () => {
    const files = ['deploy/prometheus/alerts.test.yaml', 'deploy/prometheus/slow-alerts.test.yaml']
    const tests = files.map(file => readFileSync(file, 'utf8')).join('')

    expect(promtool('test', 'rules', ...files)).toContain('SUCCESS')
    expect(alerts.filter(({ alert }) => !tests.includes(`alertname="${alert}"`))).toEqual([])
  })
})

describe.skipIf(!findProgram('prometheus'))('a Prometheus that reads a store', () => {
  let app: App
  let prometheus: Program
  let url: string
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-prometheus-'))
  const query = async (expr: string): Promise<unknown[]> => {
    const answer = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expr })}`)
    const { data, error } = (await answer.json()) as { data?: { result: unknown[] }; error?: string }
    if (!data) throw new Error(error)
    return data.result
  }
  beforeAll(async () => {
    const [opsPort, port, redisUrl] = [await freePort(), await freePort(), await freeRedis()]
    url = `http://127.0.0.1:${port}`
    app = await startApp({ env: { OPS_PORT: String(opsPort), ...redisUrl } })
    const settings = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [resolve('deploy/prometheus/alerts.yaml')],
      scrape_configs: [{ job_name: 'animal-store', static_configs: [{ targets: [`127.0.0.1:${opsPort}`] }] }],
    }
    writeFileSync(join(folder, 'prometheus.yaml'), stringify(settings))
    const project = await app.makeProject()
    // Send enough requests to make the garbage collector run.
    await Promise.all(Array.from({ length: 500 }, () => project.get('/v1/pets')))
    const limited = await app.makeProject({ perMinute: 1 })
    for (let n = 0; n < 2; n++) await limited.get('/v1/pets')
    recordUse('prometheus')
    prometheus = await startProgram({
      command: 'prometheus',
      args: [
        `--config.file=${folder}/prometheus.yaml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      // A rate needs two readings.
      answers: async () => {
        const [reading] = await query('count_over_time(nodejs_gc_duration_seconds_count[1m]) >= 2')
        if (!reading) throw new Error('Nothing is read yet.')
      },
    })
  })
  afterAll(async () => {
    await prometheus?.stop()
    await app?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each(panels.map(({ title, targets }) => [title, targets] as const))(
    'Prometheus has data for the panel %s',
    async (_title, targets) => {
      for (const { expr } of targets) {
        const drawn = expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.*')

        expect(await query(drawn), drawn).not.toEqual([])
      }
    },
  )

  it('Prometheus finds every metric that an alert uses', async () => {
    const named = ownRules
      .flatMap(({ expr }) => expr.match(/[a-z_0-9]+(?=\{)/g) ?? [])
      .filter(name => !ofParent.includes(name))

    for (const name of new Set(named)) expect(await query(name), name).not.toEqual([])
    expect(new Set(named).size).toBeGreaterThan(8)
  })

  it('Prometheus evaluates every alert without an error', async () => {
    const answer = await fetch(`${url}/api/v1/rules`)
    const { data } = (await answer.json()) as {
      data: { groups: { rules: { name: string; health: string }[] }[] }
    }

    expect(data.groups.flatMap(group => group.rules).filter(({ health }) => health === 'err')).toEqual([])
  })
})

async function freeRedis(): Promise<Record<string, string>> {
  const redisUrl = await freshRedis()
  return redisUrl ? { REDIS_URL: redisUrl } : {}
}
