import { beforeEach, describe, expect, it, vi } from 'vitest'
import { attempt } from '../../../src/core/events/attempts.ts'
import { removeEndpoint } from '../../../src/core/events/endpoints.ts'
import type { Project } from '../../../src/core/project.ts'
import { runPieceInTurn } from '../../../src/database/pieces.ts'
import type { WebhookEndpoint } from '../../../src/generated/prisma/client.ts'
import type { Outgoing, OutgoingAnswer } from '../../../src/tools/outgoing.ts'
import { movableClock } from '../../support/clock.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

describe.skipIf(!canRace())('the attempts of a webhook endpoint', () => {
  const own = prepareOwnDatabase()
  const clock = movableClock()
  const answer: OutgoingAnswer = { status: 204, ms: 1, excerpt: 'fine', problem: null, retryAfter: undefined }
  const outgoing = { post: async () => answer } as unknown as Outgoing
  let project: Project
  let endpoint: WebhookEndpoint
  beforeEach(async () => {
    project = (await own.makeProject()) as unknown as Project
    endpoint = await addEndpoint()
    return () => void vi.restoreAllMocks()
  })

  const addEndpoint = () =>
    own.db.webhookEndpoint.create({
      data: {
        projectId: project.id,
        url: 'https://shop.test',
        delivered: 0n,
        sealedSecret: new Uint8Array(1),
      },
    })

  /** Stores attempts at the events with the numbers 1 to `count`. */
  const store = ({ id }: WebhookEndpoint, count: number) =>
    own.db.$executeRaw`
      INSERT INTO webhook_deliveries (endpoint_id, event_number, event_type, at, ms, answer)
      SELECT ${id}::uuid, number, 'pet.created', now(), 1, '' FROM generate_series(1, ${count}::int) AS number ORDER BY number`

  const numbersOf = async ({ id }: WebhookEndpoint) => {
    const found = await own.db.webhookDelivery.findMany({ where: { endpointId: id }, orderBy: { id: 'asc' } })
    return found.map(({ eventNumber }) => Number(eventNumber))
  }

  const send = (number: number) => {
    const event = { id: `1-${number}`, number: BigInt(number), type: 'pet.created', body: '{}' }
    return attempt({ db: own.db, clock, outgoing }, endpoint, event, [secret], new AbortController().signal)
  }

  it('are deleted beyond the newest ten thousand, by one attempt in five hundred', async () => {
    const other = await addEndpoint()
    await store(endpoint, 10_100)
    await store(other, 3)
    const random = vi.spyOn(Math, 'random')
    const counts = []
    for (const chance of [1 / 499, 1 / 501]) {
      random.mockReturnValue(chance)
      await send(10_101 + counts.length)
      counts.push((await numbersOf(endpoint)).length)
    }

    const kept = await numbersOf(endpoint)
    expect(counts).toEqual([10_101, 10_000])
    expect([kept[0], kept.at(-1)]).toEqual([103, 10_102])
    expect(await numbersOf(other)).toEqual([1, 2, 3])
  })

  it('are deleted with the endpoint in small pieces, which wait for other long work of the project', async () => {
    await store(endpoint, 5_000)
    let release = () => {}
    const busy = runPieceInTurn(project.id, () => new Promise<void>(done => (release = done)))
    const deleted: number[] = []
    const db = Object.create(own.db, {
      $executeRaw: {
        async value(strings: TemplateStringsArray, ...values: unknown[]) {
          deleted.push(await own.db.$executeRaw(strings, ...values))
          return deleted.at(-1)
        },
      },
    })

    const removal = removeEndpoint(db, project, endpoint.id)
    await expect.poll(() => isEnabled(endpoint)).toBe(false)
    const before = deleted.length
    release()
    await Promise.all([busy, removal])

    expect(before).toBe(0)
    expect(deleted.reduce((sum, count) => sum + count, 0)).toBe(5_000)
    expect(Math.max(...deleted)).toBeLessThanOrEqual(2_000)
    expect(await own.db.webhookEndpoint.findUnique({ where: { id: endpoint.id } })).toBeNull()
  })

  const isEnabled = async ({ id }: WebhookEndpoint) =>
    (await own.db.webhookEndpoint.findUnique({ where: { id } }))?.enabled
})

const secret = `whsec_${Buffer.alloc(24).toString('base64')}`
