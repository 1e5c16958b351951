import { isPort } from '../tools/networks.ts'

/**
 * A parsed DATABASE_URL. Like PostgreSQL's own clients, the service accepts several hosts, of which one takes writes.
 */
export type Addresses = {
  /** One URL for each host, in the order to try them. */
  urls: [string, ...string[]]
  /** True if hosts that take no writes must be skipped. */
  needsPrimary: boolean
  /** The URL's `options` for new connections. */
  options: string | null
}

const form = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/i

/** Parses DATABASE_URL. Returns null if it is no PostgreSQL URL, and a string with the reason if it is refused. */
export function readAddresses(databaseUrl: string): Addresses | string | null {
  const [, scheme = '', user, authority = '', path = '', query] = form.exec(databaseUrl) ?? []
  if (scheme === '') return null
  const parameters = new URLSearchParams(query)
  const refusal = refusalOf(parameters)
  if (refusal) return refusal
  const hosts = hostsOf(authority, parameters)
  if (!hosts) return null
  const wanted = parameters.get('target_session_attrs')
  const needsPrimary = hosts.length > 1 || wanted === 'read-write' || wanted === 'primary'
  const options = parameters.get('options')
  for (const name of ['host', 'port', 'target_session_attrs', 'schema', 'options']) parameters.delete(name)
  const urls = hosts.map(({ inUrl, inQuery }) => {
    const given = new URLSearchParams([...inQuery, ...parameters])
    return `${scheme}${user === undefined ? '' : `${user}@`}${inUrl}${path || '/'}${given.size > 0 ? `?${given}` : ''}`
  })
  return { urls: urls as [string, ...string[]], needsPrimary, options }
}

function refusalOf(parameters: URLSearchParams): string | null {
  const schema = parameters.get('schema')
  if (schema !== null && schema !== 'public')
    return `says schema=${schema}, but the tables are in the schema public: remove the parameter schema, and use a database that only the store uses.`
  const wanted = parameters.get('target_session_attrs')
  if (wanted !== null && !['read-write', 'primary', 'any'].includes(wanted))
    return `says target_session_attrs=${wanted}, but the store writes: only read-write is allowed.`
  return null
}

type Host = { inUrl: string; inQuery: [string, string][] }

function isHost(host: string): boolean {
  const [whole, port] = /^(?:\[[0-9a-f:.]+\]|[^:[\]]*)(?::(\d+))?$/i.exec(host) ?? []
  return whole !== undefined && (port === undefined || isPort(port))
}

/**
 * Returns the hosts. The URL's query parameters `host` and `port` override the hosts and ports before the path. The
 * folder of a unix socket must be in `host`, unless it is percent-encoded.
 */
function hostsOf(authority: string, parameters: URLSearchParams): Host[] | null {
  const ports = parameters.get('port')?.split(',') ?? []
  if (!ports.every(port => port === '' || isPort(port))) return null
  const portOf = (index: number): Host['inQuery'] => {
    const port = ports[index] ?? ports[0]
    return port ? [['port', port]] : []
  }
  const named = parameters.get('host')?.split(',')
  if (named) return named.map((host, index) => ({ inUrl: '', inQuery: [['host', host], ...portOf(index)] }))
  const hosts = authority.split(',')
  return hosts.every(isHost) ? hosts.map((inUrl, index) => ({ inUrl, inQuery: portOf(index) })) : null
}
