import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../../support/random.ts'
import { openAnswers } from '../answers.ts'
import { type Client, openClient } from '../client.ts'
import { type Ground, type GroundPlan, layGround, type Project, wired } from '../ground.ts'
import { settle } from '../ledger.ts'
import { type Load, startLoad } from '../load.ts'
import { untilForgotten } from '../play.ts'
import { doorsAtAll, startClients } from './clients.ts'
import { emptyHistory, type History, type Stored } from './history.ts'
import { judge, type Violation } from './judge.ts'
import { causeFaults, promoted, promotion } from './mischief.ts'

export type Played = {
  seed: number
  faults: string[]
  calls: number
  acknowledged: number
  violations: Violation[]
}

const perMinute = 60
const processes = 3
const petsPerMinute = 18
/**
 * Before the history is judged, wait longer than any statement takes, and longer than an event waits for its number.
 */
const settleMs = 4_000

/** Lets clients work under random faults for this time, and judges the history that they recorded. */
export async function playHistory(
  seed: number,
  ms: number,
  only: readonly string[] | null,
  print: (line: string) => void,
): Promise<Played> {
  const random = randomOf(seed)
  const plan: GroundPlan = random.below(2) === 0 ? wired : promoted
  const ground = await layGround(plan)
  try {
    return await play(ground, plan, { seed, ms, only, random, print })
  } finally {
    await ground.stop()
  }
}

type Run = {
  seed: number
  ms: number
  /** If given, only these faults happen. */
  only: readonly string[] | null
  random: ReturnType<typeof randomOf>
  print: (line: string) => void
}

async function play(
  ground: Ground,
  plan: GroundPlan,
  { seed, ms, only, random, print }: Run,
): Promise<Played> {
  const history = emptyHistory()
  const project = await ground.makeProject()
  const shop = await ground.makeProject()
  const quiet = await ground.makeProject()
  const limited = await ground.makeProject({ perMinute })
  const open = [project, shop, quiet, limited].map(({ secret }) => openClient(secret))
  const [ofProject, ofShop, ofQuiet, ofLimited] = open
  if (!ofProject || !ofShop || !ofQuiet || !ofLimited) throw new Error('A project is missing.')
  const answers = openAnswers(ground.balancer.url)
  const note: Parameters<typeof doorsAtAll>[3] = (url, answer) => {
    answers.note(url, answer, expected)
  }
  const doors = doorsAtAll(ground, project, ofProject, note)
  const shopDoors = doorsAtAll(ground, shop, ofShop, note)
  const limitedDoors = doorsAtAll(ground, limited, ofLimited, note).flatMap(([rest]) => rest ?? [])
  const pets = await addPets(doors, history, Math.max(6, Math.ceil((petsPerMinute * ms) / 60_000)))
  const quietDoors = doorsAtAll(ground, quiet, ofQuiet, note)
  const quietPets = await addPets(quietDoors, history, 2)
  const load = await startLoad(ground)
  const clients = startClients({
    ground,
    random,
    history,
    doors,
    shopDoors,
    limitedDoors,
    quietDoors,
    quietPets,
    pets,
  })
  const together: Load = {
    ...load,
    restWrites: async () => void (await Promise.all([load.restWrites(), clients.rest()])),
    writeOn() {
      load.writeOn()
      clients.goOn()
    },
  }
  const faults = await causeFaults(ground, together, {
    ...{ seed, plan, ms, only, print },
    uncounted: history.uncounted,
  })
  if (plan === promoted) {
    const { name, happen } = promotion()
    print(`  ${name}`)
    faults.push(name)
    await happen(ground, together)
    await untilForgotten(ground)
  }
  await Promise.all([clients.stop(), load.stop()])
  await pause(settleMs)
  history.wrong.push(...withoutSlow(answers.wrong()))
  const stored = [
    await readStored(ground, project, ofProject),
    await readStored(ground, shop, ofShop),
    await readStored(ground, quiet, ofQuiet),
  ]
  const violations = [...judge(history, stored, { perMinute, processes }), ...(await judgeLoad(load, ground))]
  for (const one of open) one.close()
  const acknowledged = history.creations.filter(({ id }) => id !== null).length + history.orders.length
  const changes = [...history.registers.values()].flatMap(({ calls }) =>
    calls.filter(({ act, outcome }) => act !== 'read' && outcome === 'done'),
  )
  return { seed, faults, calls: answers.total(), acknowledged: acknowledged + changes.length, violations }
}

/** Statuses that clients cause themselves: a pet was taken, a tag is old, a key is in use, a limit is reached. */
const expected = [404, 409, 412, 429]

/**
 * Omits reports of slow answers, because the time of an answer depends on the machine. Only the test of a single fault
 * compares this time with the times before the fault.
 */
const withoutSlow = (wrong: string[]) =>
  wrong.filter(why => !/no answer within|408 request_timeout/.test(why))

async function addPets(doors: ReturnType<typeof doorsAtAll>, history: History, count: number) {
  const pets: number[] = []
  for (let i = 0; i < count; i++) {
    const first = `first-${i}`
    const made = await doors[0]?.[0]?.create(first, randomUUID())
    if (!made?.value) throw new Error('A pet could not be created before the faults.')
    history.registers.set(made.value.id, { first, calls: [] })
    pets.push(made.value.id)
  }
  return pets
}

/**
 * Checks the writes and answers of the usual load of the harness. The load runs together with the clients of the
 * history, because faults such as restores and manual edits change the pets of the load.
 */
async function judgeLoad(load: Load, ground: Ground): Promise<Violation[]> {
  const { lost, doubled } = await settle(load.ledger, ground, load.project)
  const say = (rule: string, found: string[]) => found.map(what => ({ rule, what }))
  return [
    ...say('an acknowledged write is lost or doubled', [...lost, ...doubled]),
    ...say('an answer is late, lost or out of order', load.reading.old),
    ...say('a 5xx is a 503 with Retry-After', withoutSlow(load.answers.wrong())),
  ]
}

/** Reads a project's rows and events from the database, and its inventory from the API. */
async function readStored({ sql, stores }: Ground, { slug }: Project, client: Client): Promise<Stored> {
  const ofProject = `project_id = (SELECT id FROM projects WHERE slug = '${slug}')`
  const pets = await sql(`SELECT id, name, status::text FROM pets WHERE ${ofProject}`)
  const orders = await sql(`SELECT id, pet_id, status::text FROM orders WHERE ${ofProject}`)
  const events = await sql(
    `SELECT number, type, subject, data ->> 'name' AS name FROM events WHERE ${ofProject} ORDER BY number`,
  )
  const { text } = await client.ask(`${stores[0]?.url}/v1/store/inventory`)
  return {
    pets: pets.map(({ id, name, status }) => ({
      ...{ id: Number(id), name: String(name) },
      status: status === null ? null : String(status),
    })),
    orders: orders.map(({ id, pet_id, status }) => ({
      ...{ id: Number(id), petId: Number(pet_id), status: String(status) },
    })),
    inventory: JSON.parse(text),
    events: events.map(({ number, type, subject, name }) => ({
      ...{ number: Number(number), type: String(type), subject: String(subject), name: String(name) },
    })),
  }
}
