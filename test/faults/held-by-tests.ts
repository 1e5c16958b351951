import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check, Fault } from './fault.ts'
import { nothing } from './ground.ts'

type Row = [
  name: string,
  what: string,
  files: string[],
  tests?: string,
  env?: Record<string, string>,
  mostMinutes?: number,
]

/** Faults that have tests of their own, which need no load. Trying such a fault runs its tests. */
const held: Row[] = [
  [
    'every-refusal',
    'Every temporary refusal of PostgreSQL, over REST and GraphQL; and an unexpected error of the service',
    ['service/database-faults'],
  ],
  ['full-logs', 'A full disk under the log, and readers that stall', ['service/log-faults']],
  [
    'no-balancer',
    'SIGTERM without any balancer, with half a header open, and without connections',
    ['service/drain'],
  ],
  [
    'refused-starts',
    'DATA_DIR is read-only, a file, full, damaged or of another user; Node is too old',
    ['service/data-dir', 'service/first-start'],
  ],
  [
    'wrong-clocks',
    'A clock an hour ahead or behind; Redis that refuses; a bug in its script',
    ['service/limiter-faults', 'limiter/refusing-redis', 'limiter/memory-counts'],
  ],
  [
    'forgetful-stores',
    'A replica of Redis or PostgreSQL lacks the last write; a restore, also to a point in time; a writer is killed between its commit and its message to Redis',
    ['service/no-old-answer'],
  ],
  [
    'processes-replaced',
    'Ten times, SIGHUP replaces both processes of `PROCESSES=2` under load',
    ['processes/processes'],
    'SIGHUP replaces',
    { ROLL_OVERS: '10' },
  ],
  [
    'events-killed',
    'kill -9 of the process that numbers events, and of the one that delivers them',
    ['core/events/kills', 'service/events-killed'],
  ],
  [
    'events-restored',
    'A restore, a recovery to a point in time and a promotion while clients read events',
    ['core/events/restores'],
  ],
  [
    'unanswered-rollback',
    'PostgreSQL hangs during a transaction, and the connection of the transaction is used again afterwards',
    ['database/unanswered-rollback'],
  ],
  [
    'alerts',
    'Alerts fire in a real Prometheus while their fault lasts',
    ['deploy/alerts-fire'],
    undefined,
    { ALERTS: 'all' },
    40,
  ],
  ['half-an-order', 'PostgreSQL or a process is killed during an order', ['service/orders']],
  [
    'proxy-protocol',
    'HAProxy and nginx pass TLS through, with the PROXY protocol',
    ['http/proxy-protocol', 'deploy/passthrough'],
  ],
  ['poolers', 'PgBouncer in each mode, too old, or without its settings', ['database/pooler']],
  [
    'several-hosts',
    'Several hosts of PostgreSQL, Sentinel, unix sockets, `?schema=`',
    ['database/addresses', 'limiter/redis-address'],
  ],
  ['older-versions', 'An older version on a newer database, and migrations', ['database/migrations']],
  [
    'authority-refuses',
    'The certificate authority refuses one name, or is away',
    ['hosting/pauses', 'hosting/stuck-orders'],
  ],
  ...faultsOfAuthorities(),
]

/**
 * Returns the faults of certificate authorities: faults of the first of two authorities, and a fault of both
 * authorities. For each fault, `tests` is the part of a test's name that selects the tests of the fault.
 */
function faultsOfAuthorities(): Row[] {
  const rows: [name: string, what: string, tests: string][] = [
    ['authority-dead', 'The first of two certificate authorities is dead', 'is dead'],
    ['authority-slow', 'The first of two certificate authorities never answers', 'never answers'],
    [
      'authority-refuses-all',
      'The first of two certificate authorities refuses every order',
      'refuses every order',
    ],
    [
      'authority-pauses',
      'The first of two certificate authorities asks to wait for two days',
      'asks to wait',
    ],
    [
      'authority-no-pem',
      'The first of two certificate authorities answers with no PEM',
      'in place of a certificate',
    ],
    [
      'authority-moved',
      'The directory of the first of two certificate authorities is empty',
      'without addresses',
    ],
    ['authority-renewal', 'The issuer refuses to renew a certificate in use', 'is renewed at the second'],
    ['authorities-down', 'Both certificate authorities fail', 'both authorities refuse'],
  ]
  return rows.map(([name, what, tests]) => [name, what, ['hosting/several-authorities'], tests])
}

/** The tests of one fault may run for this many minutes. If the tests run longer, the fault has failed. */
const usualMinutes = 10

export const heldByTests: Fault[] = held.map(([name, what, files, tests, env, minutes = usualMinutes]) => ({
  ...{ name, what, mostMinutes: minutes },
  ground: nothing,
  expected: 'each of its tests passes',
  measure: async () => runTests({ files: files.map(file => `test/${file}.test.ts`), tests, env, minutes }),
}))

type Report = {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { assertionResults: { status: string; fullName: string }[] }[]
}

type Run = {
  files: string[]
  tests: string | undefined
  env: Record<string, string> | undefined
  minutes: number
}

/** Runs the tests of these files; if `tests` is given, only those whose names contain it. */
function runTests({ files, tests, env, minutes }: Run): Check[] {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-tests-'))
  const report = join(folder, 'report.json')
  // Run the tests one at a time and with a long timeout: the machine may be busy, and none of them measures time.
  const calmly = ['--maxWorkers=1', '--testTimeout=90000']
  const chosen = tests ? [`--testNamePattern=${tests}`] : []
  const args = ['vitest', 'run', ...calmly, ...chosen, '--reporter=json', `--outputFile=${report}`, ...files]
  const timeout = minutes * 60_000
  spawnSync('npx', args, { stdio: 'ignore', timeout, env: { ...process.env, ...env } })
  const { numPassedTests, numFailedTests, numPendingTests, success, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as Report
  rmSync(folder, { recursive: true })
  // With a pattern, Vitest counts every test that the pattern leaves out as pending. So count the skipped tests only if
  // no pattern is given.
  const skipped = tests ? 0 : numPendingTests
  const leftOut = skipped > 0 ? `, ${skipped} left out` : ''
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  )
  const passed = `${numPassedTests} ${numPassedTests === 1 ? 'test' : 'tests'} passed`
  const names = failed.map(({ fullName }) => ` (${fullName})`).join('')
  return [
    {
      // A skipped test does not count as tried.
      holds: success && numPassedTests > 0 && skipped === 0,
      seen: `${passed}, ${numFailedTests} failed${names}${leftOut} (${files.join(', ')})`,
    },
  ]
}
