/**
 * All connections of this process are in use. The database works, but gets too many statements from this process at
 * once.
 */
export const poolFull = 'no connection was free in time'
/** Part of the message if other connections were free, but the project used its whole share. */
export const ownShareUsed = 'the project uses its whole share of the connections'

/** The database hangs, or the statement exceeds the time limit. */
export const notInTime = 'it does not answer in time'

/** Every statement that was prepared before the tables were replaced now fails, on each connection. */
export const tablesReplaced = 'its tables were replaced'

/** Codes of Node's sockets and DNS, of PostgreSQL (SQLSTATE) and of Prisma, by the reason to show to the operator. */
const codesByReason = {
  'its host is not known': ['ENOTFOUND'],
  'the name of its host cannot be looked up': ['EAI_AGAIN'],
  'the connection is refused': ['ECONNREFUSED'],
  'it cannot be reached': [
    ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT', 'P1001', 'DatabaseNotReachable'],
  ],
  'the connection broke': ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'P1017', 'ConnectionClosed'],
  'it is starting, stopping or has crashed': ['57P01', '57P02', '57P03'],
  'it accepts no connections': ['55000'],
  'it refuses the password': ['28P01', 'P1000', 'AuthenticationFailed'],
  'it does not let this user in': ['28000', 'P1010', 'DatabaseAccessDenied'],
  'it refuses a right that the service needs': ['42501'],
  'there is no such database': ['3D000', '57P04', 'P1003', 'DatabaseDoesNotExist'],
  'its disk is full': ['53100'],
  'it is out of memory': ['53200'],
  'it has no connection left': ['53300', 'P2037', 'TooManyConnections'],
  'it is short of resources': ['53000', '53400'],
  // PostgreSQL cannot read unlogged tables while it recovers. Matched by the name of PostgreSQL's C function, because the
  // error code is too general.
  'it takes no writes': ['25006', 'get_relation_info'],
  [notInTime]: ['57014', '25P03', '25P04', 'P1002', 'P1008', 'P2028', 'SocketTimeout'],
  [poolFull]: ['P2024'],
  'statements waited for each other': [
    ...['40001', '40003', '40P01', '55P03', 'P2034', 'TransactionWriteConflict'],
  ],
  'its files cannot be read or written': ['58000', '58030'],
  // The database came up after the service and is not migrated yet.
  'its tables are not there yet': [
    ...['42P01', 'P2021', 'TableDoesNotExist'],
    // A table lacks a column or a unique key that the table has in every version of the service. For example, a key is
    // missing while pg_restore runs, because pg_restore adds the keys after the rows.
    ...['42703', 'P2022', 'ColumnNotFound', '42P10'],
  ],
  'it is being restored': ['BEING_RESTORED'],
  // The statement was prepared for other column types. Matched by the name of PostgreSQL's C function, because the
  // error code is too general.
  [tablesReplaced]: ['RevalidateCachedQuery'],
}

const reasonsByCode = new Map(
  Object.entries(codesByReason).flatMap(([reason, codes]) => codes.map(code => [code, reason] as const)),
)

const families: [RegExp, string][] = [
  // SQLSTATEs of class 08, which poolers also use for refusals.
  [/^08.{3}$/, 'the connection broke'],
  [/^(ERR_(TLS|SSL)|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/, 'its certificate is not trusted'],
]

/** Errors of pg or Prisma without a useful code, matched by their message. */
const messages: [string, string][] = [
  ['cached plan must not change result type', tablesReplaced],
  // A dropped table, index, function or type. PostgreSQL never translates these internal messages.
  ['cache lookup failed for', tablesReplaced],
  ['could not open relation with OID', tablesReplaced],
  ['Connection terminated due to connection timeout', notInTime],
  ['Connection terminated', 'the connection broke'],
  ['Client has encountered a connection error', 'the connection broke'],
  ['The server does not support SSL connections', 'it does not support TLS'],
  // pg throws this error if the address has no password.
  ['client password must be a', 'it refuses the password'],
  ['Query read timeout', notInTime],
  ['timeout expired', notInTime],
  ['timeout exceeded when trying to connect', poolFull],
]

/** The reasons that /readyz can name. A full pool is no outage. */
export const reasons = [
  ...new Set([...Object.keys(codesByReason), ...[...families, ...messages].map(([, reason]) => reason)]),
].filter(reason => reason !== poolFull)

/**
 * The error for a table whose restore is not complete yet. This service detects that by itself; PostgreSQL reports no
 * error.
 */
export const beingRestored = (table: string) =>
  Object.assign(new Error(`The table ${table} lacks some of its triggers.`), { code: 'BEING_RESTORED' })

/** True if the database is unavailable, so that the client may retry. False for a bug. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return whyUnavailable(error) !== null
}

/** `reason` is one of a fixed list and may be shown to clients. `detail` is the original message, for the operator. */
export type Unavailable = { reason: string; detail: string }

export function whyUnavailable(error: unknown): Unavailable | null {
  const layers = [...layersOf(error)]
  // An error may contain other errors. The innermost code and the outermost message are the most precise, so the codes
  // are tried from the inside and the messages from the outside.
  return firstOf(layers.toReversed(), reasonByCode) ?? firstOf(layers, reasonByMessage)
}

function firstOf(layers: Layer[], reasonOf: (layer: Layer) => string | undefined): Unavailable | null {
  for (const layer of layers) {
    const reason = reasonOf(layer)
    if (reason) return { reason, detail: String(layer.message ?? layer.originalMessage ?? '') }
  }
  return null
}

function reasonByCode({ code, kind, routine, port, message }: Layer): string | undefined {
  // PgBouncer uses the code of a broken connection if it accepts no more clients.
  if (code === '08P01' && String(message).startsWith('no more connections allowed'))
    return reasonsByCode.get('53300')
  // Prisma drops the error's code. If the error has a port, the host was found, so the connection was refused.
  if (kind === 'DatabaseNotReachable' && port !== undefined) return reasonsByCode.get('ECONNREFUSED')
  for (const name of [code, kind, routine]) {
    if (typeof name !== 'string') continue
    const reason = reasonsByCode.get(name) ?? families.find(([family]) => family.test(name))?.[1]
    if (reason) return reason
  }
  return undefined
}

function reasonByMessage({ message }: Layer): string | undefined {
  if (typeof message !== 'string') return undefined
  // `connect E…` means a missing socket file, or no free local port. The pattern tests every line, because Prisma puts
  // lines of its own before the message.
  if (/^connect E[A-Z]+ /m.test(message)) return 'it cannot be reached'
  return messages.find(([text]) => message.includes(text))?.[1]
}

/** True if a unique key rejected a row because of a concurrent row that the statement could not see. */
export function isUniqueViolation(error: unknown): boolean {
  for (const { code, originalCode } of layersOf(error)) {
    if (code === '23505' || originalCode === '23505') return true
  }
  return false
}

/** True if PostgreSQL stopped the statement, because its time limit has passed. */
export function isStopped(error: unknown): boolean {
  for (const { code, originalCode } of layersOf(error)) {
    if (code === '57014' || originalCode === '57014') return true
  }
  return false
}

type Layer = {
  code?: unknown
  originalCode?: unknown
  routine?: unknown
  kind?: unknown
  message?: unknown
  /** PostgreSQL's message in an error of Prisma's adapter, which has no `message` for most codes that it knows. */
  originalMessage?: unknown
  port?: unknown
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
  errors?: unknown
}

/** Yields the error and the errors inside it: Prisma's error wraps the adapter's, which wraps PostgreSQL's. */
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
