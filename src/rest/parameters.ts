import type { Request } from 'express'
import { type Fault, invalidInput } from '../core/errors.ts'
import { mostFaults } from './members.ts'
import { isMisspelled, misspelled, plain, show } from './misspelling.ts'

/** No ordinary query has so many. The number is limited because each unknown name is compared with the known ones. */
const mostNames = 200
const tooMany = `must have at most ${mostNames} parameters`

/** The parameters of all lists and exports. An operation rejects those that would have no effect on it. */
const anywhere = [
  ...['limit', 'cursor', 'sort', 'status', 'categoryId', 'name', 'petId', 'reference', 'search'],
  ...['placedFrom', 'placedBefore', 'format', 'safe'],
  // Parameters of the list of events and of the usage.
  ...['after', 'kind', 'type', 'subject', 'actor', 'since', 'until', 'from', 'to', 'by'],
]

/** Page parameters of other services. If they were ignored, a client would read page one forever. */
const foreign: Record<string, readonly string[]> = {
  cursor: [
    ...['page', 'pageno', 'pagenumber', 'pageindex', 'pagetoken', 'nextpage', 'nextpagetoken', 'nexttoken'],
    ...['next', 'previous', 'prev'],
    ...['offset', 'skip', 'start', 'startat', 'startafter', 'startingafter', 'endingbefore'],
    ...['after', 'before', 'since', 'continuation', 'continuationtoken', 'marker', 'pagecursor', 'pageafter'],
  ],
  limit: [
    'perpage',
    'pagesize',
    'size',
    'pagelimit',
    'maxresults',
    'maxitems',
    'count',
    'take',
    'first',
    'last',
    'top',
  ],
  sort: ['sortby', 'sortorder', 'sortdirection', 'orderby', 'order', 'ordering', 'sorting'],
}
const meantByForeign = new Map(
  Object.entries(foreign).flatMap(([meant, names]) => names.map(name => [name, meant] as const)),
)

/**
 * Reads an operation's query parameters; an absent one is null. Ignores unknown parameters, which proxies and links may
 * add. Rejects misspelled ones: ignoring them would answer a different query.
 */
export function readParameters<Name extends string>(
  query: Request['query'],
  known: readonly Name[],
): Record<Name, string | null> {
  const names = Object.keys(query)
  if (names.length > mostNames) throw invalidInput([{ field: 'query', message: tooMany }])
  const faults = names.flatMap(name => faultOf(name, query[name], known) ?? [])
  if (faults.length > 0) throw invalidInput(faults.slice(0, mostFaults))
  return Object.fromEntries(known.map(name => [name, query[name] ?? null])) as Record<Name, string | null>
}

/** Rejects the same parameters as `readParameters`, for an operation without parameters. */
export function requireNoParameters(request: Request): void {
  if (request.url.includes('?')) readParameters(request.query, [])
}

function faultOf(name: string, value: unknown, known: readonly string[]): Fault | null {
  if (known.includes(name))
    return typeof value === 'string' ? null : { field: name, message: 'must be given once' }
  const meant = known.find(each => isMisspelled(name, each))
  if (meant !== undefined) return misspelled(meant, name)
  // JSON:API clients send `page[offset]`.
  const foreignTo = meantByForeign.get(plain(name)) ?? meantByForeign.get(plain(name.replace(/[[\]]/g, '')))
  // The list of events continues after the id of an event, so its cursor is called `after`.
  const isOfEvents = known.includes('after') && [name, foreignTo].includes('cursor')
  const other = isOfEvents ? 'after' : foreignTo
  if (other === undefined)
    return anywhere.includes(name) ? { field: name, message: 'has no effect here' } : null
  if (!known.includes(other))
    return { field: other, message: `has no effect here; ${show(name)} seems to mean it` }
  const isPlace = other === 'cursor' || other === 'after'
  const what = isPlace ? 'continues a list here: follow the Link header' : 'is the parameter here'
  return { field: other, message: `${what}; ${show(name)} is unknown` }
}
