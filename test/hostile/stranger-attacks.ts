import { getIntrospectionQuery } from 'graphql'
import { makeSecret } from '../../src/core/secrets.ts'
import type { Attack } from './attack.ts'

const html = { accept: 'text/html' }
const packed = { 'accept-encoding': 'br' }
const list = '/v1/pets?limit=100'

/** Attacks with complete requests, without a key. */
export const strangerAttacks: Attack[] = [
  {
    name: 'flood-401',
    what: '300 requests a second without a key',
    by: 'nobody',
    run: hand => hand.flood(300, () => ({ path: list })),
  },
  {
    name: 'flood-wrong-keys',
    what: '300 requests a second, each with another wrong key',
    by: 'nobody',
    run: hand => hand.flood(300, () => ({ path: list, key: makeSecret() })),
  },
  {
    name: 'flood-404',
    what: '300 requests a second for paths that are not there',
    by: 'nobody',
    run: hand => hand.flood(300, i => ({ path: `/nothing/${i}` })),
  },
  {
    name: 'flood-421',
    what: "200 requests a second for a stranger's hosts, each another one",
    by: 'nobody',
    run: hand => hand.flood(200, i => ({ path: '/', headers: { host: `x${i}.example` } })),
  },
  {
    name: 'long-hosts',
    what: '100 requests a second for hosts of 8,000 characters outside ASCII',
    by: 'nobody',
    run: hand =>
      hand.flood(100, i => ({
        path: '/',
        headers: { host: `${Buffer.from('ü'.repeat(4_000)).toString('latin1')}${i}.example` },
      })),
  },
  {
    name: 'challenge-budget',
    what: "100 unknown hosts a second from the address that the authority's challenges come from",
    by: 'nobody',
    run: hand =>
      hand.flood(
        100,
        i => ({ path: '/', headers: { host: `y${i}.example` } }),
        () => '127.0.0.1',
      ),
  },
  {
    name: 'challenge-paths',
    what: '200 requests a second for unknown challenges',
    by: 'nobody',
    run: hand =>
      hand.flood(200, i => ({
        path: `/.well-known/acme-challenge/t${i}`,
        headers: { host: hand.place.domain },
      })),
  },
  {
    name: 'many-addresses',
    what: '300 requests a second without a key, each from another address',
    by: 'nobody',
    run: hand =>
      hand.flood(
        300,
        () => ({ path: list }),
        i => `127.10.${(i >> 8) % 256}.${i % 256}`,
      ),
  },
  {
    name: 'introspection',
    what: '100 introspections a second without a key',
    by: 'nobody',
    run: hand =>
      hand.flood(100, () => ({ path: '/graphql', body: JSON.stringify({ query: getIntrospectionQuery() }) })),
  },
  {
    name: 'long-urls',
    what: '200 requests a second with 12,000 characters of query',
    by: 'nobody',
    run: hand => hand.flood(200, i => ({ path: `/v1/pets?${`a${i}=b&`.repeat(1_500)}` })),
  },
  {
    name: 'many-headers',
    what: '200 requests a second with 80 headers of 150 characters',
    by: 'nobody',
    run: hand => {
      const headers = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`x-${i}`, 'v'.repeat(150)]))
      return hand.flood(200, () => ({ path: list, headers }))
    },
  },
  {
    name: 'large-bodies',
    what: '20 bodies a second of 5 MB without a key',
    by: 'nobody',
    run: hand => {
      const body = Buffer.alloc(5_000_000, 'x')
      return hand.flood(20, () => ({ path: '/v1/pets', body }))
    },
  },
  {
    name: 'pages',
    what: '100 requests a second for the API reference',
    by: 'nobody',
    run: hand => hand.flood(100, () => ({ path: '/reference', headers: html })),
  },
  {
    name: 'compression',
    what: '100 requests a second for the contract, compressed',
    by: 'nobody',
    run: hand => hand.flood(100, () => ({ path: '/openapi.yaml', headers: packed })),
  },
  {
    name: 'preflights',
    what: '300 preflights a second',
    by: 'nobody',
    run: hand =>
      hand.flood(300, i => ({
        method: 'OPTIONS',
        path: '/graphql',
        headers: { origin: `https://x${i}.example`, 'access-control-request-method': 'POST' },
      })),
  },
  {
    name: 'preflights-with-keys',
    what: '300 preflights a second, each with another key that is well-formed but wrong',
    by: 'nobody',
    run: hand => hand.flood(300, () => ({ method: 'OPTIONS', path: list, key: makeSecret() })),
  },
  {
    name: 'readyz',
    what: '300 requests a second for /readyz',
    by: 'nobody',
    run: hand => hand.flood(300, () => ({ path: '/readyz' })),
  },
]
