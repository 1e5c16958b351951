// The quantities that grow: the pets of a project, the projects, the open streams, the domains and the events.
import type pg from 'pg'
import { type Contestant, contestants } from '../contestants.ts'
import { withClient, withoutTriggers } from '../database.ts'
import { openStreams } from '../events/streams.ts'
import { type Ground, layGround } from '../ground.ts'
import { platformHost } from '../hosts/pair.ts'
import { customers, seedHosts } from '../hosts/seed.ts'
import type { Size } from '../questions.ts'
import { type Running, startContestant } from '../start-contestant.ts'

/** A store of one size, and a process that serves it. */
export type Side = { step: number; ground: Ground; process: Running; stop(): Promise<void> }
export type Axis = { title: string; about: string; steps: number[]; open(step: number): Promise<Side> }

/** The store in which streams, domains and events are added. */
const usual: Size = { pets: 100_000, projects: 100 }
/** The pets that the projects share. Even the smallest project has full pages. */
const shared = 4_800_000

export const axes: Axis[] = [
  {
    title: 'Pets of one project',
    about: 'One project has all pets.',
    steps: [10_000, 100_000, 1_000_000, 10_000_000],
    open: async pets => serveStore(pets, await layGround({ pets, projects: 1 })),
  },
  {
    title: 'Projects',
    about: `The projects share ${shared.toLocaleString('en')} pets. The requests are for all projects in turn.`,
    steps: [10, 1_000, 100_000],
    open: async projects => serveStore(projects, await layGround({ pets: shared, projects })),
  },
  {
    title: 'Open streams',
    about: `The streams belong to ${usual.projects} projects, which also send the requests. So with 2,000 streams each event goes to 20.`,
    steps: [1, 100, 2_000],
    async open(step) {
      const side = await serveStore(step, await layGround(usual))
      const ofAKey = Math.ceil(step / usual.projects)
      const owners = Array.from({ length: step / ofAKey }, (_, n) => side.ground.keys.secret(n + 1))
      const streams = await openStreams(side.process.port, owners, ofAKey)
      return {
        ...side,
        async stop() {
          for (const stream of streams) stream.destroy()
          await side.stop()
        },
      }
    },
  },
  {
    title: 'Domains',
    about: 'Each domain has a project, a deploy and a certificate. The requests are for 100 other projects.',
    steps: [10, 1_000, 100_000],
    async open(step) {
      const ground = await layGround(usual)
      const { secretsKey } = await seedHosts(ground.databaseUrl, step, 0, 1_000)
      return serveStore(step, ground, {
        SECRETS_KEY: secretsKey,
        PLATFORM_HOST: platformHost,
        DOMAIN_SUFFIXES: customers,
      })
    },
  },
  {
    title: 'Events',
    about: `${usual.projects} projects have the events.`,
    steps: [0, 100_000, 10_000_000],
    async open(step) {
      const ground = await layGround(usual)
      if (step > 0) await withClient(ground.databaseUrl, client => addEvents(client, step / usual.projects))
      return serveStore(step, ground)
    },
  },
]

async function serveStore(step: number, ground: Ground, env: Record<string, string> = {}): Promise<Side> {
  const ours: Contestant | undefined = contestants.find(({ name }) => name === 'ours')
  if (!ours) throw new Error('The contestant is missing.')
  const changed = { ...ours, env: { ...ours.env, CONNECTIONS_PER_ADDRESS: '5000', ...env } }
  const process = await startContestant(changed, ground)
  return {
    step,
    ground,
    process,
    async stop() {
      await process.stop()
      await ground.stop()
    },
  }
}

async function addEvents(client: pg.Client, ofAProject: number): Promise<void> {
  await client.query('set session_replication_role = replica')
  await withoutTriggers(client, 'events', () =>
    client.query(
      `insert into events (project_id, era, number, at, is_management, type, subject, data)
       select project, era, number, now(), false, 'pet.created', 'pet:' || number, pet_json(number, 'Rex', 1, null)::json
       from event_era, generate_series(1, $1::int) as project, generate_series(1, $2::int) as number`,
      [usual.projects, ofAProject],
    ),
  )
  await client.query(
    `insert into event_numbers (project_id, last) select project, $2::int from generate_series(1, $1::int) as project
     on conflict (project_id) do update set last = excluded.last`,
    [usual.projects, ofAProject],
  )
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}
