import type { Attack } from './attack.ts'

const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
const page = head('GET /openapi.yaml')
const list = head('GET /v1/pets')

/** Attacks on connections, without a key. */
export const connectionAttacks: Attack[] = [
  {
    name: 'slow-headers',
    what: '300 connections that send half a header',
    by: 'nobody',
    run: hand => hand.connections(300, 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-A: ', { drip: 'a' }),
  },
  {
    name: 'slow-bodies',
    what: '300 connections that send a body byte by byte',
    by: 'nobody',
    run: hand =>
      hand.connections(300, `${head('POST /v1/pets', 'Content-Length: 60000\r\n')}{`, { drip: ' ' }),
  },
  {
    name: 'chunked-bodies',
    what: '100 connections that send chunks of one byte',
    by: 'nobody',
    run: hand =>
      hand.connections(100, head('POST /graphql', 'Transfer-Encoding: chunked\r\n'), {
        drip: '1\r\na\r\n'.repeat(200),
      }),
  },
  {
    name: 'slow-readers',
    what: '100 connections of 400 pipelined requests for the contract, which read nothing',
    by: 'nobody',
    short: true,
    run: hand => hand.connections(100, page.repeat(400), { unread: true }),
  },
  {
    name: 'pipelining',
    what: '20 connections of 1,000 pipelined requests without a key, five times a second',
    by: 'nobody',
    run: hand => hand.connections(20, list.repeat(1_000), { drip: list.repeat(200) }),
  },
  {
    name: 'pipelining-on-open-connections',
    what: '300 open connections that then send 1,400 pipelined requests without a key each, all at once',
    by: 'nobody',
    run: hand => hand.connections(300, list, { drip: list.repeat(1_400) }),
  },
  {
    name: 'idle-connections',
    what: '2,000 connections that say nothing',
    by: 'nobody',
    run: hand => hand.connections(2_000, ''),
  },
  {
    name: 'connection-storm',
    what: '300 new connections a second, each for one request',
    by: 'nobody',
    run: hand => hand.flood(300, () => ({ path: '/livez', headers: { connection: 'close' } })),
  },
  {
    name: 'garbage',
    what: '300 connections that send what is no HTTP',
    by: 'nobody',
    run: hand => hand.connections(300, `${'\u0001garbage '.repeat(500)}\r\n\r\n`),
  },
  {
    name: 'tls-storm',
    what: "50 full TLS handshakes a second for the victim's domain",
    by: 'nobody',
    run: hand => hand.handshakes(50, () => hand.place.domain),
  },
  {
    name: 'tls-unknown-names',
    what: '50 TLS handshakes a second, each for an unknown name',
    by: 'nobody',
    run: hand => hand.handshakes(50, i => `x${i}.example`),
  },
  {
    name: 'tls-silence',
    what: '500 connections to the HTTPS port that begin no handshake',
    by: 'nobody',
    run: hand => hand.connections(500, '', { secure: true }),
  },
]
