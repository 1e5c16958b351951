import { readFileSync } from 'node:fs'
import { buildSchema, isEnumType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { errorCodes } from '../../src/core/errors.ts'
import { getPetDeprecation } from '../../src/core/keys/deprecations.ts'
import { statusOf } from '../../src/http/errors.ts'
import { readContract } from '../../src/rest/contract.ts'
import { contract, everyAnswer, operations } from '../support/contract-document.ts'

const publicUrl = 'https://store.example'

describe('the downloaded contract', () => {
  test('the contract names its download address, and a staging address only if one is configured', () => {
    const { yaml, json } = readContract({ publicUrl, stagingUrl: null })

    const servers = [{ url: 'https://store.example/v1', description: 'Production', 'x-internal': false }]
    expect(parse(yaml).servers).toEqual(servers)
    expect(JSON.parse(json).servers).toEqual(servers)
  })

  test('the contract names the staging address beside the production address', () => {
    const { json } = readContract({ publicUrl, stagingUrl: 'https://staging.store.example' })

    expect(JSON.parse(json).servers).toEqual([
      { url: 'https://store.example/v1', description: 'Production', 'x-internal': false },
      { url: 'https://staging.store.example/v1', description: 'Staging', 'x-internal': false },
    ])
  })

  test('the contract has the same content as YAML and as JSON', () => {
    const { yaml, json } = readContract({ publicUrl, stagingUrl: null })

    expect(parse(yaml)).toEqual(JSON.parse(json))
  })

  test('the contract gives the bounds of an int64 to the last digit', () => {
    const { yaml, json } = readContract({ publicUrl, stagingUrl: null })

    for (const text of [yaml, json]) {
      expect(text).toMatch(/\b9223372036854775807\b/)
      expect(text).toMatch(/-9223372036854775808\b/)
    }
  })

  test('each bound of a length or a count fits the 32-bit integer that generators of clients read it into', () => {
    const bounds = boundsOf(contract)

    expect(bounds.length).toBeGreaterThan(50)
    expect(bounds.filter(([, bound]) => bound > 2 ** 31 - 1)).toEqual([])
  })

  // Generated clients send the media types as Accept in the contract's order, and the first one wins.
  test('an answer that may be JSON lists JSON as its first media type', () => {
    const lists = operations.flatMap(({ id, answers }) =>
      [...answers.values()].map(({ content = {} }) => [id, ...Object.keys(content)]),
    )

    expect(lists.filter(([, ...types]) => types.indexOf('application/json') > 0)).toEqual([])
    expect(lists).toContainEqual(['listEvents', 'application/json', 'text/event-stream'])
  })

  test("the contract marks our extensions with their stability, and leaves the specification's own keys unmarked", () => {
    const marked = Object.entries<Record<string, { operationId: string; 'x-stability'?: string }>>(
      contract.paths,
    )
      .flatMap(([, methods]) => Object.values(methods))
      .map(operation => [operation.operationId, operation['x-stability']])

    expect(marked).toEqual([
      ['listPets', undefined],
      ['createPet', undefined],
      ['updatePets', 'beta'],
      ['deletePets', 'beta'],
      ['exportPets', 'beta'],
      ['importPets', 'beta'],
      ['getPet', undefined],
      ['updatePet', 'beta'],
      ['deletePet', 'beta'],
      ['getInventory', 'beta'],
      ['getUsage', 'beta'],
      ['getRateLimit', 'experimental'],
      ['listCategories', 'beta'],
      ['getCategory', 'beta'],
      ['setCategory', 'beta'],
      ['removeCategory', 'beta'],
      ['listOrders', 'beta'],
      ['placeOrder', 'beta'],
      ['getOrder', 'beta'],
      ['approveOrder', 'beta'],
      ['deliverOrder', 'beta'],
      ['cancelOrder', 'beta'],
      ['listEvents', 'beta'],
      ['exportEvents', 'beta'],
      ['getEvent', 'beta'],
      ['listWebhooks', 'beta'],
      ['addWebhook', 'beta'],
      ['getWebhook', 'beta'],
      ['changeWebhook', 'beta'],
      ['removeWebhook', 'beta'],
      ['rotateWebhookSecret', 'beta'],
      ['testWebhook', 'beta'],
      ['listWebhookDeliveries', 'beta'],
      ['redeliverWebhook', 'beta'],
      ['rewindWebhook', 'beta'],
    ])
  })
})

test('for every answer of every operation, the contract documents the headers that all answers of the service have', () => {
  const all = Object.keys(everyAnswer.headers)
  const lacking = operations.flatMap(({ id, answers }) =>
    [...answers].flatMap(([status, { headers }]) =>
      all.filter(name => !(name in headers)).map(name => `${id} ${status} documents no header ${name}`),
    ),
  )

  expect(lacking).toEqual([])
})

describe('the error codes', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])

  test('the page of error codes explains each code once, with its status', () => {
    expect(rows).toHaveLength(new Set(rows.map(([code]) => code)).size)
    expect(Object.fromEntries(rows)).toEqual(statusOf)
  })

  test('src/core/errors.ts, openapi.yaml, schema.graphql and docs/errors.md list the same codes', () => {
    const graphql = buildSchema(readFileSync('schema.graphql', 'utf8')).getType('ErrorCode')
    const places: Record<string, readonly string[]> = {
      'openapi.yaml: ErrorCode': contract.components.schemas.ErrorCode.enum,
      'schema.graphql: enum ErrorCode': isEnumType(graphql)
        ? graphql.getValues().map(({ name }) => name)
        : [],
      'docs/errors.md': rows.map(([code]) => `${code}`),
    }

    const faults = Object.entries(places).flatMap(([place, codes]) => [
      ...errorCodes.filter(code => !codes.includes(code)).map(code => `${place} lacks ${code}`),
      ...codes
        .filter(code => !errorCodes.some(known => known === code))
        .map(code => `${place} has ${code} too much`),
    ])

    expect(faults.join('; ')).toBe('')
  })

  test("the contract's examples use each code with its own status", () => {
    const examples = examplesOfErrors(contract)

    expect(examples.length).toBeGreaterThan(15)
    for (const { code, status } of examples) expect([code, status]).toEqual([code, statusOf[code]])
  })
})

test("the contract names the dates of getPet's deprecation and removal", () => {
  const { Deprecation, Sunset } = contract.components.headers

  expect(Deprecation.schema.const).toBe(`@${getPetDeprecation.since.getTime() / 1000}`)
  expect(Sunset.schema.const).toBe(getPetDeprecation.sunset.toUTCString())
  expect(contract.paths['/pets/{petId}'].get['x-removal-date']).toBe('2030-12-05')
})

/** Every bound of a length or a count, such as `['maxLength', 100]`. */
function boundsOf(node: unknown): [string, number][] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]): [string, number][] =>
    /^(min|max)(Length|Items|Properties)$/.test(name) && typeof value === 'number'
      ? [[name, value]]
      : boundsOf(value),
  )
}

type ErrorExample = { code: keyof typeof statusOf; status: number }

function examplesOfErrors(node: unknown): ErrorExample[] {
  if (typeof node !== 'object' || node === null) return []
  if ('code' in node && 'message' in node && 'status' in node && typeof node.status === 'number') {
    return [node as ErrorExample]
  }
  return Object.values(node).flatMap(examplesOfErrors)
}
