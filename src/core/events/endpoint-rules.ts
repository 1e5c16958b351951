import { type Fault, invalidInput } from '../errors.ts'
import { validateText } from '../text.ts'

export type EndpointInput = {
  url: string
  description: string | null
  /** Empty means all types. */
  types: string[]
  enabled: boolean
}

/** Rules for the addresses and types of a project's endpoints. */
export type EndpointRules = {
  /** True if http to this computer is accepted, as on the embedded default. */
  allowsLoopback: boolean
  /** Returns why the service must not send to the address; null if it may. */
  refusalOf(url: URL): Promise<string | null>
  eventTypes: readonly string[]
}

const longestUrl = 2_000
const longestDescription = 200
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Validates the given fields; the others keep the values of `before`. */
export async function parseEndpoint(
  rules: EndpointRules,
  input: Readonly<Record<string, unknown>>,
  before: EndpointInput,
): Promise<EndpointInput> {
  const faults: Fault[] = []
  const read = <Field extends keyof EndpointInput>(field: Field, parse: Parser<EndpointInput[Field]>) => {
    const value = input[field]
    if (value === undefined) return before[field]
    const parsed = parse(value)
    if (!('fault' in parsed)) return parsed.value
    faults.push({ field, message: parsed.fault })
    return before[field]
  }
  const parsed = {
    url: read('url', value => parseUrl(rules, value)),
    description: read('description', parseDescription),
    types: read('types', value => parseTypes(rules.eventTypes, value)),
    enabled: read('enabled', value =>
      typeof value === 'boolean' ? { value } : { fault: 'must be true or false' },
    ),
  }
  if (parsed.url === '') faults.push({ field: 'url', message: 'is required' })
  const refusal =
    faults.length === 0 && input.url !== undefined ? await rules.refusalOf(new URL(parsed.url)) : null
  if (refusal) faults.push({ field: 'url', message: refusal })
  if (faults.length > 0) throw invalidInput(dropRepeated(faults))
  return parsed
}

const members = ['url', 'description', 'types', 'enabled']

/** Throws if the change contains no field to change. `place` is the field of the request that the error names. */
export function requireEndpointChange<Change extends Readonly<Record<string, unknown>>>(
  place: string,
  change: Change,
): Change {
  if (members.some(member => change[member] !== undefined)) return change
  throw invalidInput([{ field: place, message: `must have one of ${members.join(', ')}` }])
}

type Parser<Value> = (value: unknown) => { value: Value } | { fault: string }

const dropRepeated = (faults: Fault[]) =>
  faults.filter((one, n) => faults.findIndex(({ field }) => field === one.field) === n)

function parseUrl({ allowsLoopback }: EndpointRules, value: unknown): { value: string } | { fault: string } {
  const text = typeof value === 'string' && value.length <= longestUrl ? value.trim() : ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    return { fault: `must be an https address of at most ${longestUrl} characters` }
  }
  if (url.protocol === 'http:' && !(allowsLoopback && loopback.test(url.hostname))) {
    return { fault: 'must be an https address' }
  }
  // Lists and logs show the address, and would show the password too.
  if (url.username || url.password) return { fault: 'must not contain a user or password' }
  url.hash = ''
  if (url.href.length > longestUrl)
    return { fault: `must have at most ${longestUrl} characters when percent-encoded` }
  return { value: url.href }
}

function parseDescription(value: unknown): { value: string | null } | { fault: string } {
  if (value === null) return { value }
  const { text, fault } = validateText('description', value, longestDescription)
  return fault ? { fault: fault.message } : { value: text }
}

function parseTypes(known: readonly string[], value: unknown): { value: string[] } | { fault: string } {
  if (!isListOfTexts(value)) return { fault: 'must be a list of types of events' }
  const unknown = value.find(type => !known.includes(type))
  if (unknown !== undefined)
    return { fault: `must not contain ${JSON.stringify(unknown.slice(0, 60))}, which is no type of event` }
  return { value: [...new Set(value)] }
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')
