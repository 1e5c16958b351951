import { setTimeout as pause } from 'node:timers/promises'
import { type Answers, openAnswers } from './answers.ts'
import { type Client, openClient } from './client.ts'
import type { Ground, Project } from './ground.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { keepReading, type Reading } from './readers.ts'
import { changeOnce, type Desk, keepChanging, keepCreating, keepOrdering } from './writers.ts'

/** Clients at the balancer and at each process, which record their answers. */
export type Load = {
  project: Project
  client: Client
  ledger: Ledger
  answers: Answers
  reading: Reading
  /** Pauses the writers, and resolves when no write is under way. `writeOn` resumes the writers. */
  restWrites(): Promise<void>
  writeOn(): void
  /** While writers are paused, changes every watched pet once. Returns when all changes are acknowledged. */
  changeEach(): Promise<void>
  stop(): Promise<void>
}

const watchedPets = 3
/** After a client gives up a request, the statements of the request may still run for this long. */
const statementsEndMs = 1_000

export async function startLoad(ground: Ground): Promise<Load> {
  const { balancer, stores } = ground
  const project = await ground.makeProject()
  const client = openClient(project.secret)
  const ledger = openLedger()
  const answers = openAnswers(balancer.url)
  const reading: Reading = { judged: 0, old: [] }
  let goesOn = true
  let rest: PromiseWithResolvers<void> | null = null
  let writing = 0
  const desk: Desk = {
    ...{ client, ledger },
    goesOn: () => goesOn,
    async write(step) {
      while (rest) await rest.promise
      writing++
      await step()
      writing--
    },
    note: answers.note,
  }
  const writeOn = () => {
    rest?.resolve()
    rest = null
  }
  const [one = '', two = '', three = ''] = stores.map(({ url }) => url)
  const ids = await addWatched(client, one)
  // Register the pets now, because a reader may read a pet before its first change.
  for (const id of ids) ledger.watch(id)
  const changedAt = [balancer.url, one, two]
  const running = [
    ...ids.map((id, i) => keepChanging(desk, changedAt[i] ?? one, id)),
    keepCreating(desk, balancer.url, 'repeated', true),
    keepCreating(desk, balancer.url, 'once', false),
    keepCreating(desk, two, 'at-two', true),
    keepCreating(desk, three, 'at-three', false),
    keepOrdering(desk, balancer.url, 'ordered'),
    ...stores.map(({ url }) => keepReading(desk, url, reading)),
  ]
  return {
    ...{ project, client, ledger, answers, reading },
    async restWrites() {
      rest ??= Promise.withResolvers()
      while (writing > 0) await pause(20)
      await pause(statementsEndMs)
    },
    writeOn,
    async changeEach() {
      for (const id of ids) await changeOnce(desk, one, id)
    },
    async stop() {
      goesOn = false
      writeOn()
      await Promise.all(running)
      client.close()
    },
  }
}

async function addWatched(client: Client, url: string): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < watchedPets; i++) {
    const body = { name: 'watched-v0', categoryId: 1 }
    const { status, text } = await client.ask(`${url}/v1/pets`, { method: 'POST', body })
    if (status !== 201) throw new Error(`No pet to watch: ${status} ${text}`)
    ids.push((JSON.parse(text) as { id: number }).id)
  }
  return ids
}
