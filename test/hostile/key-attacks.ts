import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Attack } from './attack.ts'

const pet = (name: string, categoryId = '1') => `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`
export const lines = (count: number, categoryId = '1') =>
  Array.from({ length: count }, (_, i) => pet(`imported ${i}`, categoryId)).join('\n')
export const ndjson = { 'content-type': 'application/x-ndjson' }
const longNumber = `1${'0'.repeat(60_000)}1`
const bomb = gzipSync(Buffer.alloc(60_000_000, '['))

/** Attacks with a key: on the free plan first, then on the plan pro. */
export const keyAttacks: Attack[] = [
  {
    name: 'long-number',
    what: '2 bodies a second with one number of 60,000 digits',
    by: 'free key',
    short: true,
    run: hand => hand.flood(2, () => ({ path: '/v1/pets', key: hand.keys.free, body: pet('x', longNumber) })),
  },
  {
    name: 'flood-429',
    what: '300 requests a second, most of them past the budget',
    by: 'free key',
    short: true,
    run: hand => hand.flood(300, () => ({ path: '/v1/pets', key: hand.keys.free })),
  },
  {
    name: 'deep-json',
    what: '20 bodies a second of 30,000 nested arrays',
    by: 'free key',
    run: hand => hand.flood(20, () => ({ path: '/v1/pets', key: hand.keys.free, body: '['.repeat(30_000) })),
  },
  {
    name: 'many-members',
    what: '20 bodies a second with 4,000 unknown members',
    by: 'free key',
    run: hand => {
      const body = JSON.stringify(Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`m${i}`, i])))
      return hand.flood(20, () => ({ path: '/v1/pets', key: hand.keys.free, body }))
    },
  },
  {
    name: 'gzip-bomb',
    what: '20 bodies a second that unpack to 60 MB',
    by: 'free key',
    run: hand =>
      hand.flood(20, () => ({
        path: '/v1/pets',
        key: hand.keys.free,
        body: bomb,
        headers: { 'content-encoding': 'gzip' },
      })),
  },
  {
    name: 'one-idempotency-key',
    what: '50 creations at once under one Idempotency-Key',
    by: 'pro key',
    run: hand =>
      hand.atOnce(50, () => ({
        path: '/v1/pets',
        key: hand.keys.pro,
        body: pet('x'),
        headers: { 'idempotency-key': 'one' },
      })),
  },
  {
    name: 'creation-storm',
    what: '100 creations at once',
    by: 'pro key',
    run: hand => hand.atOnce(100, i => ({ path: '/v1/pets', key: hand.keys.pro, body: pet(`storm ${i}`) })),
  },
  {
    name: 'order-storm',
    what: '50 orders at once, all for few pets',
    by: 'pro key',
    run: async hand => {
      const text = await hand.send({ path: '/v1/pets?limit=5', key: hand.keys.pro })
      const ids = [...text.matchAll(/"id":(\d+)/g)].map(found => found[1])
      await hand.atOnce(50, i => ({
        path: '/v1/store/orders',
        key: hand.keys.pro,
        body: `{"petId":${ids[i % ids.length]}}`,
      }))
    },
  },
  {
    name: 'deep-cursors',
    what: '10 readers that follow cursors through 50,000 pets',
    by: 'pro key',
    run: async hand => {
      const read = async () => {
        for (let after = ''; hand.goesOn(); ) {
          const query = `{pets(first:100${after}){nodes{id name} pageInfo{endCursor hasNextPage}}}`
          const text = await hand.send(hand.graphql(hand.keys.big, query))
          const cursor = /"endCursor":"([^"]+)"/.exec(text)?.[1]
          await pause(5)
          after = cursor ? `,after:"${cursor}"` : ''
        }
      }
      await Promise.all(Array.from({ length: 10 }, read))
    },
  },
  {
    name: 'name-searches',
    what: '20 searches a second for names that none of 50,000 pets has',
    by: 'pro key',
    run: hand => hand.flood(20, i => ({ path: `/v1/pets?limit=100&name=zq${i}`, key: hand.keys.big })),
  },
  {
    name: 'name-searches-graphql',
    what: 'GraphQL, 10 a second: ten searches for names that none of 50,000 pets has',
    by: 'pro key',
    run: hand =>
      hand.flood(10, i =>
        hand.graphql(
          hand.keys.big,
          `{${Array.from({ length: 10 }, (_, n) => `a${n}:pets(first:100,name:"zq${i}x${n}"){nodes{id}}`).join(' ')}}`,
        ),
      ),
  },
  {
    name: 'deletions-by-name',
    what: '20 deletions a second by names that none of 50,000 pets has',
    by: 'pro key',
    run: hand =>
      hand.flood(20, i => {
        const body = JSON.stringify({ filter: { name: `zq${i}` } })
        return { method: 'DELETE', path: '/v1/pets', key: hand.keys.big, body }
      }),
  },
  {
    name: 'deletions-by-name-graphql',
    what: 'GraphQL, 10 a second: an invalid deletion, then 18 by names that none of 50,000 pets has',
    by: 'pro key',
    run: hand =>
      hand.flood(10, i => {
        const fields = Array.from(
          { length: 18 },
          (_, n) => `a${n}:petsDelete(input:{filter:{name:"zq${i}x${n}"}}){deleted}`,
        )
        return hand.graphql(
          hand.keys.big,
          `mutation{invalid:petsDelete(input:{ids:[]}){deleted} ${fields.join(' ')}}`,
        )
      }),
  },
  {
    name: 'imports',
    what: '4 imports at once of 10,000 pets each',
    by: 'pro key',
    run: hand => {
      const body = lines(10_000)
      return hand.atOnce(4, () => ({ path: '/v1/pets/import', key: hand.keys.big, body, headers: ndjson }))
    },
  },
  {
    name: 'imports-of-long-numbers',
    what: '4 imports at once of lines with numbers of 60,000 digits',
    by: 'pro key',
    run: hand => {
      const body = lines(5, longNumber)
      return hand.atOnce(4, () => ({ path: '/v1/pets/import', key: hand.keys.pro, body, headers: ndjson }))
    },
  },
  {
    name: 'imports-that-stall',
    what: '30 imports at once whose bodies do not go on',
    by: 'pro key',
    run: hand => {
      const head = `POST /v1/pets/import HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${hand.keys.pro}\r\n`
      return hand.connections(
        30,
        `${head}Content-Type: application/x-ndjson\r\nContent-Length: 900000\r\n\r\n${lines(50)}`,
      )
    },
  },
  {
    name: 'exports',
    what: '5 exports of 50,000 pets at once, read in full',
    by: 'pro key',
    run: hand => hand.atOnce(5, () => ({ path: '/v1/pets/export', key: hand.keys.big })),
  },
  {
    name: 'exports-unread',
    what: '60 exports of 50,000 pets at once whose answers are not read',
    by: 'pro key',
    run: hand => {
      const head = 'GET /v1/pets/export HTTP/1.1\r\nHost: localhost\r\n'
      return hand.connections(60, `${head}Authorization: Bearer ${hand.keys.big}\r\n\r\n`, { unread: true })
    },
  },
  {
    name: 'domain-storm',
    what: 'Adds 50 domains, and verifies them again and again',
    by: 'pro key',
    run: async hand => {
      const send = (query: string) => hand.send(hand.graphql(hand.keys.pro, query))
      await send('mutation{deploy(input:{}){id}}')
      const add = (i: number) =>
        `mutation{addDomain(input:{name:"d${i}-${hand.keys.pro.slice(-6).toLowerCase()}.test"}){domain{id}}}`
      const added = await Promise.all(Array.from({ length: 50 }, (_, i) => send(add(i))))
      const ids = added.flatMap(text => /"id":"([^"]+)"/.exec(text)?.[1] ?? [])
      await hand.flood(10, i =>
        hand.graphql(hand.keys.pro, `mutation{verifyDomain(id:"${ids[i % ids.length]}"){id}}`),
      )
    },
  },
  {
    name: 'deploy-storm',
    what: '10 deploys a second',
    by: 'pro key',
    run: hand =>
      hand.flood(10, i => hand.graphql(hand.keys.pro, `mutation{deploy(input:{title:"t${i}"}){id}}`)),
  },
  {
    name: 'key-storm',
    what: '10 new API keys a second',
    by: 'pro key',
    run: hand =>
      hand.flood(10, i =>
        hand.graphql(hand.keys.pro, `mutation{issueApiKey(input:{name:"k${i}",scopes:[pets_read]}){secret}}`),
      ),
  },
  {
    name: 'changing-lists',
    what: 'Creates a pet and reads the list, 20 times a second, so that no list is cached',
    by: 'pro key',
    run: hand =>
      hand.flood(40, i =>
        i % 2
          ? { path: '/v1/pets?limit=100', key: hand.keys.big }
          : { path: '/v1/pets', key: hand.keys.big, body: pet(`change ${i}`) },
      ),
  },
]
