/** What Node's sockets and DNS, PostgreSQL (SQLSTATE) and Prisma say when the database is away or overrun. */
const codes = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  // Shut down, crashed, starting up; a statement out of time; no connection left; a replica that takes no writes.
  ...['57P01', '57P02', '57P03', '57014', '53300', '25006'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037'],
  // Tables that are not there: the database came up after the service and is not migrated yet.
  ...['42P01', 'P2021'],
])

const kinds = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'])

/** pg gives these no code, and Prisma passes them on as they are. */
const messages = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'Unable to start a transaction in the given time',
]

/** Tells a database that is away, to be answered with "try again", from a mistake of our own. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (const layer of layersOf(error)) {
    const code = typeof layer.code === 'string' ? layer.code : ''
    if (codes.has(code) || /^08.{3}$/.test(code)) return true
    if (typeof layer.kind === 'string' && kinds.has(layer.kind)) return true
    const text = layer.message
    if (typeof text === 'string' && messages.some(message => text.includes(message))) return true
  }
  return false
}

type Layer = {
  code?: unknown
  kind?: unknown
  message?: unknown
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
  errors?: unknown
}

/** The error and those that it wraps: Prisma's hold the adapter's, which holds PostgreSQL's. */
function* layersOf(error: unknown, depth = 0): Generator<Layer> {
  if (typeof error !== 'object' || error === null || depth > 5) return
  const layer: Layer = error
  yield layer
  const inner = [
    layer.cause,
    layer.meta?.driverAdapterError,
    ...(Array.isArray(layer.errors) ? layer.errors : []),
  ]
  for (const next of inner) yield* layersOf(next, depth + 1)
}
