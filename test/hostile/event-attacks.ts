import type { Attack } from './attack.ts'
import type { Hand } from './hand.ts'
import { lines, ndjson } from './key-attacks.ts'

const accept = 'text/event-stream'
const head = (key: string, query = '') =>
  `GET /v1/events${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nAccept: ${accept}\r\n\r\n`

/** The most endpoints and the most open streams of a project on the plan pro. */
const [endpoints, streams] = [20, 20]

/** Adds webhook endpoints at this URL, for these types of events or for all. Returns the answers. */
const addEndpoints = (hand: Hand, url: string, key = hand.keys.pro, types: string[] = []) =>
  Promise.all(
    Array.from({ length: endpoints }, (_, n) =>
      hand.send({ path: '/v1/webhooks', key, body: JSON.stringify({ url: `${url}/${n}`, types }) }),
    ),
  )

const createPets = (hand: Hand) =>
  hand.flood(10, i => ({
    path: '/v1/pets',
    key: hand.keys.pro,
    body: `{"name":"event ${i}","categoryId":1}`,
  }))

/** Creates in one import as many pets as an import may have. */
const importPets = (hand: Hand) =>
  hand.send({ path: '/v1/pets/import', key: hand.keys.pro, body: lines(10_000), headers: ndjson })

/**
 * Changes 10,000 pets. An import of many pets creates only one event, but a change of many pets creates one event for
 * each pet.
 */
const changeManyPets = async (hand: Hand) => {
  const text = await hand.send({ path: '/v1/pets?limit=1', key: hand.keys.big })
  const first = Number(/"id":(\d+)/.exec(text)?.[1])
  const change = (n: number) => {
    const ids = Array.from({ length: 1_000 }, (_, i) => first + n * 1_000 + i)
    const body = JSON.stringify({ ids, change: { name: `changed by ${hand.place.address}` } })
    return hand.send({ method: 'PATCH', path: '/v1/pets', key: hand.keys.big, body })
  }
  await Promise.all(Array.from({ length: 10 }, (_, n) => change(n)))
}

/** Attacks with streams of events and with webhooks. */
export const eventAttacks: Attack[] = [
  {
    name: 'stream-flood',
    what: '100 streams of events a second, most of them past the bound of one key',
    by: 'pro key',
    short: true,
    run: hand => hand.flood(100, () => ({ path: '/v1/events', key: hand.keys.pro, headers: { accept } })),
  },
  {
    name: 'stream-unread',
    what: '20 streams that read nothing while 10,000 pets are imported',
    by: 'pro key',
    run: hand =>
      Promise.all([
        hand.connections(streams, head(hand.keys.pro), { unread: true }),
        importPets(hand).then(() => createPets(hand)),
      ]),
  },
  {
    name: 'stream-filters',
    what: '20 streams that each wait for another pet, and 10 events a second',
    by: 'pro key',
    run: hand =>
      Promise.all([
        ...Array.from({ length: streams }, (_, n) =>
          hand.connections(1, head(hand.keys.pro, `?subject=pet:${n}`)),
        ),
        createPets(hand),
      ]),
  },
  {
    name: 'endpoint-hangs',
    what: '20 webhook endpoints that never answer, and 10 events a second',
    by: 'pro key',
    run: async hand => {
      const url = await hand.receive(() => {})
      await addEndpoints(hand, url)
      await createPets(hand)
    },
  },
  {
    name: 'endpoint-redirects',
    what: '20 webhook endpoints that redirect to addresses inside, and 10 events a second',
    by: 'pro key',
    run: async hand => {
      const inside = ['http://169.254.169.254/latest/meta-data', `${hand.place.urls[0]}/livez`]
      const url = await hand.receive((request, response) => {
        const location = inside[request.url?.length === 2 ? 0 : 1] ?? ''
        response.writeHead(307, { location }).end()
      })
      await addEndpoints(hand, url)
      await createPets(hand)
    },
  },
  {
    name: 'events-at-once',
    what: '10,000 events at once, for 20 streams and 20 webhook endpoints',
    by: 'pro key',
    run: async hand => {
      const url = await hand.receive((_request, response) => response.writeHead(204).end())
      await addEndpoints(hand, url, hand.keys.big)
      await Promise.all([hand.connections(streams, head(hand.keys.big)), changeManyPets(hand)])
    },
  },
  {
    name: 'endpoint-rewinds',
    what: '10 rewinds a second of 20 webhook endpoints of a type that never comes, after 10,000 events',
    by: 'pro key',
    run: async hand => {
      const key = hand.keys.big
      const url = await hand.receive(() => {})
      await addEndpoints(hand, url, key, ['order.placed'])
      // If the attack is played again, the project has its endpoints already.
      const list: { id: string }[] = JSON.parse(await hand.send({ path: '/v1/webhooks', key }))
      const ids = list.map(({ id }) => id)
      await changeManyPets(hand)
      await hand.flood(10, i => {
        const to = i % 2 === 0 ? { after: 0 } : { since: new Date(Date.now() - 1_000) }
        return { path: `/v1/webhooks/${ids[i % ids.length]}/rewind`, key, body: JSON.stringify(to) }
      })
    },
  },
]
