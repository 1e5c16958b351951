import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { inject } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import { statusOf } from '../../src/http/errors.ts'
import {
  type Answer,
  contract,
  everyAnswer,
  type Header,
  type Operation,
  operations,
} from './contract-document.ts'

export type SentRequest = { method: string; path: string }
export type SeenResponse = { status: number; headers: Headers; body: string }

const ajv = openValidator()
const seen = new Set<string>()

/** Throws if an answer of /v1 breaks openapi.yaml, with everything that is wrong. Records which answers were seen. */
export function checkAgainstContract(request: SentRequest, response: SeenResponse): void {
  const faults = judgeAgainstContract(request, response)
  if (faults.length > 0) {
    const { method, path } = request
    throw new Error(
      `${method} ${path} answered ${response.status} against openapi.yaml:\n${faults.join('\n')}`,
    )
  }
  const operation = operationOf(request)
  if (operation && request.method !== 'HEAD') note(`${operation.id} ${response.status}`)
}

export function judgeAgainstContract(request: SentRequest, response: SeenResponse): string[] {
  const path = pathOf(request)
  if (!path.startsWith('/v1/') || request.method === 'OPTIONS') return []
  const operation = operationOf(request)
  const isKnownPath = operations.some(one => one.path.test(path))
  return operation ? judgeAnswer(operation, request, response) : judgeRefusal(isKnownPath, request, response)
}

function operationOf(request: SentRequest): Operation | undefined {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  // If two paths match, the first is right: /pets/export is not /pets/{petId}.
  const place = operations.find(one => one.path.test(pathOf(request)))?.template
  return operations.find(one => one.method === method && one.template === place)
}

function pathOf({ path }: SentRequest): string {
  return path.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '')
}

function judgeAnswer(operation: Operation, request: SentRequest, response: SeenResponse): string[] {
  const answer = operation.answers.get(response.status)
  if (!answer) return [`${operation.id} documents no ${response.status}`, response.body]
  const headers = judgeHeaders(answer.headers, response.headers)
  if (!answer.content) return response.body === '' ? headers : [...headers, 'it should have no body']
  const json = answer.content['application/json']
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  const isText = type !== 'application/json' && answer.content[type] !== undefined
  if (!json || isText) return [...headers, ...validateText(answer.content, request, response)]
  return [...headers, ...judgeBody(json.schema.$ref ?? '', request, response)]
}

/** A request without an operation (unknown path or method) must get 404 or 405, or a refusal that any request can get. */
function judgeRefusal(isKnownPath: boolean, request: SentRequest, response: SeenResponse): string[] {
  const { status, headers } = response
  const refusal = isKnownPath ? 405 : 404
  const faults = [refusal, 400, 401, 403, 408, 421, 429, 431, 500, 501, 503, 505].includes(status)
    ? []
    : [`it should be ${refusal}`]
  if (status === 405 && !headers.get('allow')) faults.push('Allow is missing')
  const error = '#/components/schemas/Error'
  return [...faults, ...judgeHeaders(everyAnswer.headers, headers), ...judgeBody(error, request, response)]
}

function judgeHeaders(documented: Record<string, Header>, headers: Headers): string[] {
  return Object.entries(documented).flatMap(([name, { required, schema }]) => {
    const text = headers.get(name)
    if (text === null) return required ? [`${name} is missing`] : []
    const value = schema.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text
    return ajv.validate(schema, value) ? [] : [`${name} is ${text}: ${ajv.errorsText()}`]
  })
}

function judgeBody(schema: string, request: SentRequest, { status, headers, body }: SeenResponse): string[] {
  const type = headers.get('content-type') ?? 'missing'
  const faults = /^application\/json(; charset=utf-8)?$/i.test(type) ? [] : [`Content-Type is ${type}`]
  if (request.method === 'HEAD') return body === '' ? faults : [...faults, 'HEAD has a body']
  let value: unknown
  try {
    value = JSON.parse(body, refuseInexact)
  } catch (fault) {
    return [...faults, `the body is not JSON as promised: ${fault}`, body]
  }
  if (!ajv.validate(`contract${schema}`, value))
    faults.push(ajv.errorsText(ajv.errors, { dataVar: 'body' }), body)
  if (status >= 400) faults.push(...judgeError(value as { code: ErrorCode; status: number }, status))
  return faults
}

/** Validates a text by the schema for its media type. */
function validateText(
  content: NonNullable<Answer['content']>,
  { method }: SentRequest,
  { headers, body }: SeenResponse,
): string[] {
  const type = headers.get('content-type') ?? 'missing'
  const schema = content[type.split(';')[0] ?? '']?.schema
  if (!schema) return [`Content-Type is ${type}`]
  if (method === 'HEAD') return body === '' ? [] : ['HEAD has a body']
  if (headers.has('content-encoding') || ajv.validate(schema, body)) return []
  return [ajv.errorsText(ajv.errors, { dataVar: 'body' })]
}

function judgeError(error: { code: ErrorCode; status: number }, status: number): string[] {
  const agrees = error.status === status && statusOf[error.code] === status
  return agrees ? [] : [`code ${error.code} with status ${error.status} in an answer of ${status}`]
}

/** All numbers in the contract are int64, written in full, so a number beyond 2^53 is validated by its text. */
function refuseInexact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const text = context?.source ?? ''
  if (!/^-?\d{16,19}$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) {
    throw new Error(`${text} is no int64`)
  }
  return value
}

function note(answer: string): void {
  if (seen.has(answer)) return
  seen.add(answer)
  appendFileSync(join(inject('seenAnswers'), `${process.pid}.txt`), `${answer}\n`)
}

/** Also rejects fields that openapi.yaml does not document, although clients must ignore new fields. */
function openValidator(): Ajv2020 {
  const { NewPet, ...answered } = contract.components.schemas
  const closed = Object.entries<{ type?: string; allOf?: object[] }>(answered).map(([name, schema]) =>
    schema.type === 'object' || schema.allOf
      ? [name, { ...schema, unevaluatedProperties: false }]
      : [name, schema],
  )
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  return ajv.addSchema({ components: { schemas: { NewPet, ...Object.fromEntries(closed) } } }, 'contract')
}
