import { isPort } from '../tools/networks.ts'

/** A parsed REDIS_URL, in any of the usual spellings. */
export type RedisAddress = {
  kind: 'single' | 'cluster' | 'sentinel'
  /** Addresses of the nodes or sentinels. */
  nodes: { host: string; port: number }[]
  /** Path of a unix socket. */
  path: string | null
  isSecure: boolean
  username: string | null
  password: string | null
  db: number
  /** With sentinels: the master's name, and the credentials for the sentinels. */
  name: string
  sentinelUsername: string | null
  sentinelPassword: string | null
}

const form =
  /^(rediss?|rediss?[+-]sentinel|unix|redis\+unix):\/\/(?:([^@/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/i

/** Parses REDIS_URL; null if it is invalid. */
export function readRedisAddress(url: string): RedisAddress | null {
  const [first = '', ...others] = url.split(/,\s*(?=rediss?:\/\/)/).map(one => readOne(one.trim()))
  if (!first || others.some(one => one?.kind !== 'single')) return null
  if (others.length === 0) return first
  // User, password and TLS of the first node apply to all nodes.
  const nodes = [first, ...others].flatMap(one => one?.nodes ?? [])
  return first.kind === 'single' && first.path === null ? { ...first, kind: 'cluster', nodes } : null
}

function readOne(url: string): RedisAddress | null {
  const [, scheme = '', user = '', authority = '', path = '', query, fragment] = form.exec(url) ?? []
  const isSentinel = /sentinel$/i.test(scheme)
  const isSocket = /unix$/i.test(scheme)
  const parameters = new URLSearchParams(query)
  const [inPath = '', afterwards = ''] = path.slice(1).split('/')
  // A sentinel URL has one of two spellings. After the sentinels' addresses comes either /MASTER/DB or /DB#MASTER.
  const [name = '', db = ''] = isSentinel
    ? fragment
      ? [fragment, inPath]
      : [inPath, afterwards]
    : ['', inPath]
  const number = isSocket ? (parameters.get('db') ?? '') : db
  const nodes = isSocket ? [] : nodesOf(authority, isSentinel ? 26379 : 6379)
  if (scheme === '' || !nodes || !/^\d*$/.test(number) || isSentinel !== (name !== '')) return null
  if (isSocket ? path.length < 2 || authority !== '' : !isSentinel && nodes.length > 1) return null
  const [, username = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user) ?? []
  if (![path, username, password, name].every(isDecodable)) return null
  return {
    kind: isSentinel ? 'sentinel' : 'single',
    nodes,
    path: isSocket ? decodeURIComponent(path) : null,
    isSecure: /^rediss/i.test(scheme),
    username: decodeURIComponent(username) || null,
    password: decodeURIComponent(password) || null,
    db: Number(number),
    name: decodeURIComponent(name),
    sentinelUsername: parameters.get('sentinel_username'),
    sentinelPassword: parameters.get('sentinel_password'),
  }
}

/** False for a % that does not begin a percent-encoded character. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function nodesOf(authority: string, usualPort: number): RedisAddress['nodes'] | null {
  const nodes = authority.split(',').map(node => {
    const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d+))?$/i.exec(node) ?? []
    const host = bracketed ?? plain ?? ''
    return host !== '' && (port === undefined || isPort(port))
      ? { host, port: Number(port ?? usualPort) }
      : null
  })
  return nodes.every(node => node !== null) ? nodes : null
}
