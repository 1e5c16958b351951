import { expect, it } from 'vitest'
import { generateWire } from '../../clients/typescript/codegen-wire.ts'
import { wire } from '../../clients/typescript/src/generated/wire.ts'

it('among writing operations, only createPet, importPets and placeOrder take an Idempotency-Key, and only setCategory, approveOrder, deliverOrder and cancelOrder are marked idempotent', () => {
  const named = (is: 'keyed' | 'idempotent') =>
    Object.entries(wire).flatMap(([id, { method, [is]: yes }]) => (yes && method !== 'GET' ? [id] : []))

  expect(named('keyed')).toEqual(['createPet', 'importPets', 'placeOrder'])
  expect(named('idempotent')).toEqual(['setCategory', 'approveOrder', 'deliverOrder', 'cancelOrder'])
})

const contractWith = (schemas: string) => `
paths:
  /orders:
    post:
      operationId: createOrder
      parameters: [{ $ref: '#/components/parameters/Key' }]
components:
  parameters: { Key: { name: Idempotency-Key } }
  schemas: ${schemas}
`

it('the client generator finds an int64 behind references, in lists and in nullable fields', () => {
  const wire = generateWire(
    contractWith(`{
      Id: { type: integer, format: int64 },
      Order: { properties: { petId: { oneOf: [{ $ref: '#/components/schemas/Id' }, { type: 'null' }] }, count: { type: integer } } },
      Orders: { items: { properties: { of: { type: array, items: { $ref: '#/components/schemas/Id' } } } } },
    }`),
  )

  expect(wire).toContain('int64Members: readonly string[] = ["of","petId"]')
  expect(wire).toContain(
    'createOrder: {"method":"POST","path":"/orders","keyed":true,"idempotent":false,"streamed":false}',
  )
})

it('the client generator refuses a field name that is an int64 in one schema and an int32 in another', () => {
  const schemas = `{
    Pet: { properties: { id: { type: integer, format: int64 } } },
    Row: { properties: { id: { type: integer, format: int32 } } },
  }`

  expect(() => generateWire(contractWith(schemas))).toThrow('id is an int64 in one schema and another number')
})
