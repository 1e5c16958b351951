import type { Request, Response } from 'express'
import { describe, it } from 'vitest'
import { subjectOf } from '../src/core/certificates/authority-pauses.ts'
import { readCursor } from '../src/core/cursor.ts'
import { validateConfiguration } from '../src/core/deploys/configuration.ts'
import { parseExactJson } from '../src/core/exact-json.ts'
import { readDomainName, spellDomainName } from '../src/core/hosts/names.ts'
import { exactInt64, parseInt64 } from '../src/core/int64.ts'
import { parseIfMatch } from '../src/core/pets/change.ts'
import { parseIdempotencyKey } from '../src/core/pets/idempotency.ts'
import { openImportDraft } from '../src/core/pets/import-draft.ts'
import { parseFilters, parseNewPet } from '../src/core/pets/rules.ts'
import type { Project } from '../src/core/project.ts'
import { isWellFormedSecret } from '../src/core/secrets.ts'
import { toStorable, validateText } from '../src/core/text.ts'
import { hideSuggestions } from '../src/graphql/errors.ts'
import { kindOf, readDeployId } from '../src/graphql/ids.ts'
import { DateTime } from '../src/graphql/scalars.ts'
import { refuseRoundedNumbers } from '../src/graphql/variables.ts'
import { cleaned, readRetryAfter, refusalIn } from '../src/hosting/acme-errors.ts'
import { readReply } from '../src/hosting/dns-question.ts'
import { readRenewalInfo } from '../src/hosting/renewal-info.ts'
import { bearerOf } from '../src/http/authenticate.ts'
import { holds } from '../src/http/etag.ts'
import { readHostName } from '../src/http/host-name.ts'
import { isUtf8 } from '../src/http/json-body.ts'
import { networkOf } from '../src/http/network.ts'
import { encodingOf } from '../src/http/packing.ts'
import { readProxyHeader } from '../src/http/proxy-header.ts'
import { nameRequest } from '../src/http/request-names.ts'
import { readLimit } from '../src/rest/answer-list.ts'
import { openLines } from '../src/rest/lines.ts'
import { readParameters } from '../src/rest/parameters.ts'
import { petReaders } from '../src/rest/read-pets.ts'
import { around, expectLinear, repeat, type TextOfSize } from './support/linear.ts'

const sizes = [1, 4, 16, 64].map(kib => kib * 1024)

type Reader = { of: string; read: (text: string) => unknown; texts: Record<string, TextOfSize> }

const digits = {
  'zeros in the middle': around('1', '0', '1'),
  'zeros at the end': around('1', '0', ''),
  'zeros at the beginning': around('', '0', '1'),
  nines: repeat('9'),
  'a fraction of zeros': around('1.', '0', '1'),
  'an exponent': around('1e', '9', ''),
  minuses: repeat('-'),
}

/** Texts that anybody might send where a short word is expected. */
const words = {
  letters: repeat('a'),
  digits: repeat('1'),
  blanks: repeat(' '),
  'blanks before a letter': around('', ' ', 'a'),
  'blanks between letters': around('a', ' ', 'a'),
  dots: repeat('.'),
  'labels of a name': repeat('a.'),
  hyphens: repeat('-'),
  colons: repeat(':'),
  commas: repeat(','),
  semicolons: repeat('; '),
  slashes: repeat('/'),
  quotes: repeat('"'),
  'quotes with backslashes': repeat('\\"'),
  brackets: repeat('['),
  'closing brackets': repeat(']'),
  'equals signs': repeat('a='),
  NULs: repeat('\0'),
  'line feeds': repeat('\n'),
  emoji: repeat('😀'),
  'different letters': size =>
    Array.from({ length: size }, (_, n) => String.fromCodePoint(0x4e00 + (n % 20_000))).join(''),
  'halves of surrogate pairs': repeat('\ud800'),
} satisfies Record<string, TextOfSize>

const project: Project = {
  id: 1,
  slug: 'store',
  name: 'A store',
  planName: 'free',
  limits: { perMinute: 60, perDay: 1000 },
  suspended: false,
}
const rules = { platformHost: 'animals.example.com', ownHosts: ['localhost'], suffixes: ['test'] }

/** Makes a request with this header, for code that reads headers. */
function requestWith(name: string, value: string): Request {
  const headers = { [name]: value }
  const request = { headers, rawHeaders: [name, value], headersDistinct: { [name]: [value] } }
  return request as unknown as Request
}

const header = (name: string, read: (request: Request) => unknown): Reader => ({
  of: `the header ${name}`,
  read: text => read(requestWith(name, text)),
  texts: words,
})

const importing = (format: 'ndjson' | 'csv', pieceBytes: number) => (text: string) => {
  const draft = openImportDraft()
  const lines = openLines(petReaders[format](draft))
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) lines.take(bytes.subarray(at, at + pieceBytes))
  lines.end()
  return draft.finish()
}

const csv = (line: string) => around('name,categoryId,status\n', `${line}\n`, '\n')

const readers: Reader[] = [
  { of: 'a JSON number', read: exactInt64, texts: digits },
  { of: 'an int64', read: parseInt64, texts: { ...digits, ...words } },
  {
    of: 'JSON',
    read: parseExactJson,
    texts: {
      ...Object.fromEntries(
        Object.entries(digits).map(([name, text]) => [
          `a number with ${name}`,
          (size: number) => `[${text(size)}]`,
        ]),
      ),
      'many long numbers': around('[', '12345678901234567890,', '1]'),
      'many fractions': around('[', '1.5000000000000,', '1]'),
      'digits in a string': around('"', '1', '"'),
      'nested lists': size => '['.repeat(size / 2) + ']'.repeat(size / 2),
      'nested objects that end too soon': repeat('{"a":'),
      'many members': size => `{${Array.from({ length: size / 10 }, (_, n) => `"${n}":1`).join()}}`,
      'one member again and again': around('{', '"a":1,', '"a":1.0}'),
      'escapes in a string': around('"', '\\u0000', '"'),
      'a string without an end': around('"', '1.', ''),
    },
  },
  { of: 'a name', read: text => validateText('name', text, 255), texts: words },
  { of: 'a text to be stored', read: toStorable, texts: words },
  {
    of: 'a new pet',
    read: text => parseNewPet({ name: text, categoryId: text, status: text }),
    texts: { ...words, ...digits },
  },
  {
    of: 'the filters of a list',
    read: text => parseFilters({ status: text, categoryId: text, name: text }, []),
    texts: words,
  },
  { of: 'a limit', read: readLimit, texts: { ...words, ...digits } },
  {
    of: 'a cursor',
    read: text => readCursor('cursor', project, text, 'pets'),
    texts: { ...words, ...digits },
  },
  {
    of: 'an id',
    read: text => [kindOf(text), readDeployId(text), readDeployId(`deploy_${text}`)],
    texts: { ...words, ...digits },
  },
  { of: 'an idempotency key', read: text => parseIdempotencyKey('key', text), texts: words },
  {
    of: 'an If-Match',
    read: text => parseIfMatch('If-Match', text),
    texts: { ...words, tags: repeat('W/"a", '), 'weak marks': repeat('W/') },
  },
  { of: 'an API key', read: isWellFormedSecret, texts: { ...words, 'the prefix of a key': repeat('as_') } },
  {
    of: 'a moment',
    read: text => DateTime.parseValue(text),
    texts: { ...words, 'a long fraction': around('2026-01-01T00:00:00.', '1', 'Z') },
  },
  {
    of: 'a domain name',
    read: text => readDomainName(text, rules),
    texts: {
      ...words,
      Punycode: repeat('xn--a.'),
      'percent signs': repeat('%41'),
      users: repeat('a@'),
      'a pasted address': around('https://shop.example.com/', 'a/', ''),
    },
  },
  {
    of: 'a spelling of a domain name',
    read: spellDomainName,
    texts: { 'umlauts in one part': repeat('ü'), 'umlauts in many parts': repeat('ü.') },
  },
  {
    of: 'the configuration of a deploy',
    read: text => {
      const from = text.slice(0, text.length / 2)
      const domains = { primary: text, redirects: [{ from, to: from }] }
      return validateConfiguration(
        { title: text, description: text, domains },
        [],
        'store.animals.example.com',
        rules,
      )
    },
    texts: words,
  },
  {
    of: 'GraphQL variables',
    read: text => refuseRoundedNumbers(JSON.parse(text)),
    texts: {
      'large numbers': around('{"a":[', '1e300,', '1]}'),
      'nested lists': size => `{"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`,
    },
  },
  {
    of: "an error's suggestion in GraphQL",
    read: text => hideSuggestions({ message: text }),
    texts: {
      ...words,
      suggestions: repeat('Did you mean '),
      'suggestions with an end': around('', 'Did you mean ', '?'),
    },
  },
  header('accept-encoding', request => encodingOf(answerTo(request), { length: 10_000 })),
  header('authorization', bearerOf),
  header('if-none-match', request => holds(request, 'W/"a"')),
  header('x-request-id', ({ headers }) => nameRequest(headers)),
  header('traceparent', ({ headers }) => nameRequest(headers)),
  header('host', ({ headers }) => readHostName(headers.host ?? '')),
  header('content-type', ({ headers }) => isUtf8(headers['content-type'] ?? '')),
  {
    of: 'the charset of a media type',
    read: isUtf8,
    texts: {
      'parameters without an end': repeat(';charset='),
      'blanks before it': around('a;', ' ', 'charset=utf-8'),
    },
  },
  { of: 'an address', read: networkOf, texts: words },
  {
    of: 'a header of the PROXY protocol',
    read: text => readProxyHeader(Buffer.from(text)),
    texts: { ...words, addresses: around('PROXY TCP4 ', '1.2.3.4 ', '\r\n') },
  },
  {
    of: 'query parameters',
    read: text =>
      readParameters(Object.fromEntries(new URLSearchParams(text)), ['limit', 'status', 'cursor']),
    texts: {
      // Each name is padded to six characters. Without the padding, a longer text would have not only more names, but
      // also longer names.
      'many names': size =>
        Array.from({ length: size / 9 }, (_, n) => `p${String(n).padStart(5, '0')}=1`).join('&'),
      'many misspelled names': size => Array.from({ length: size / 12 }, (_, n) => `statuz${n}=1`).join('&'),
      'one long name': around('a', 'statu', '=1'),
      brackets: around('a', '[]', '=1'),
      'names in brackets': around('a', '[statuz]', '=1'),
    },
  },
  ...[100, 64 * 1024].flatMap((pieceBytes): Reader[] => [
    {
      of: `lines of NDJSON in pieces of ${pieceBytes} bytes`,
      read: importing('ndjson', pieceBytes),
      texts: {
        pets: repeat('{"name":"Max","categoryId":1}\n'),
        'faulty lines': repeat('x\n'),
        'empty lines': repeat('\n'),
        'lines of blanks': repeat('          \n'),
        'one line': repeat('x'),
        'a long number': around('{"name":"Max","categoryId":1', '0', '1}\n'),
        'bytes that are no UTF-8 text': repeat('\ud800\n'),
      },
    },
    {
      of: `records of CSV in pieces of ${pieceBytes} bytes`,
      read: importing('csv', pieceBytes),
      texts: {
        pets: csv('Max,1,available'),
        'faulty lines': csv('Max'),
        'open quotes': csv('"'),
        'quotes in quotes': csv('"""",1,'),
        'one quoted field over many lines': around('name,categoryId,status\n"', 'a\n', '",1,\n'),
        'one field of quotes': around('name,categoryId,status\n"', '""', '",1,\n'),
        commas: csv(',,'),
        'a line of commas': around('name,categoryId,status\n', ',', '\n'),
        'many columns': around('', 'name,', '\n'),
        'many misspelled columns': around('', 'categoryIt,', '\n'),
        'carriage returns': around('name,categoryId,status\n', '\r', '\n'),
      },
    },
  ]),
  {
    of: "an authority's reason for a pause",
    read: text => subjectOf(text, 'www.example.com'),
    texts: {
      ...words,
      'the name': repeat('www.example.com'),
      'other names': repeat('example.com '),
      'the words "exact set"': repeat('exact set'),
    },
  },
  {
    of: "an authority's problem document",
    read: text => [
      cleaned(text),
      refusalIn({ status: 429, headers: { 'retry-after': text }, data: { type: text, detail: text } }, 0, ''),
    ],
    texts: words,
  },
  {
    of: 'a Retry-After',
    read: text => readRetryAfter({ status: 429, headers: { 'retry-after': text } }, 0),
    texts: { ...words, ...digits },
  },
  {
    of: "an authority's window of renewal",
    read: text => readRenewalInfo({ suggestedWindow: { start: text, end: text } }, null, 0),
    texts: { ...words, 'a long fraction': around('2026-01-01T00:00:00.', '1', 'Z') },
  },
  {
    of: 'an answer of a name server',
    read: text => readReply(Buffer.from(text, 'latin1'), { questions: [] }),
    texts: {
      labels: around('\0\0\x80\0\0\0\0\xff\0\0\0\0', '\x01a', '\0'),
      records: size => dnsReply(size / 20, '\x01a\0', Buffer.alloc(0)),
      'names that are chains of pointers': dnsPointers,
    },
  },
]

function answerTo(request: Request): Response {
  const locals = { headers: ['Vary', 'Accept-Encoding'] }
  return { req: request, locals } as unknown as Response
}

/** Makes a DNS reply. The first record contains `first`, and `records` further records have this name. */
function dnsReply(records: number, name: string, first: Buffer): string {
  const number = (value: number) => Buffer.from([value >> 8, value & 255])
  const record = (type: number, data: Buffer) =>
    Buffer.concat([number(type), number(1), Buffer.alloc(4), number(data.length), data])
  const head = Buffer.concat([Buffer.from('\0\0\x80\0\0\0', 'latin1'), number(records + 1), Buffer.alloc(4)])
  const more = Buffer.concat([Buffer.from(name, 'latin1'), record(1, Buffer.alloc(4))])
  const all = [head, Buffer.from('\0'), record(10, first), ...Array<Buffer>(Math.floor(records)).fill(more)]
  return Buffer.concat(all).toString('latin1')
}

/**
 * Makes a DNS reply in which each compression pointer points at the previous pointer, and the name of each record
 * points at the last pointer.
 */
function dnsPointers(size: number): string {
  const begin = 23
  const pointers = Math.min(size / 2, 0x3fff - begin) >> 1
  const at = (offset: number) => [0xc0 | (offset >> 8), offset & 255]
  const chain = Array.from({ length: pointers }, (_, n) => at(n === 0 ? 12 : begin + 2 * (n - 1)))
  const last = begin + 2 * (pointers - 1)
  return dnsReply(size / 2 / 16, String.fromCharCode(...at(last)), Buffer.from(chain.flat()))
}

function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

describe.each(readers)('$of', ({ read, texts }) => {
  it.each(Object.entries(texts))(
    'a text is read in time proportional to its length: %s',
    async (_name, text) => {
      await expectLinear(sizes, text, input => attempt(() => read(input)))
    },
  )
})
