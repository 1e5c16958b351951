import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import { fetchQuoted } from './exact-fetch.ts'
import { client } from './generated/hey-api/client.gen.ts'
import * as heyApi from './generated/hey-api/index.ts'
import type { paths } from './generated/openapi-typescript/types.ts'
import * as orval from './generated/orval/exact.ts'

const { ANIMAL_STORE_URL = '', ANIMAL_STORE_KEY = '' } = process.env
const baseUrl = `${ANIMAL_STORE_URL}/v1`
const headers = { authorization: `Bearer ${ANIMAL_STORE_KEY}` }
const beyondDoubles = 9007199254740993n

/** Each function adds a pet with one of the generated clients, and returns the pet's category from the list. */
const roundTrips = {
  async 'openapi-typescript'() {
    const store = createClient<paths>({ baseUrl, headers, fetch: request => fetchQuoted(request) })
    await store.POST('/pets', { body: { name: 'Max', categoryId: String(beyondDoubles) } })
    const { data, response } = await store.GET('/pets', { params: { query: { sort: '-id' } } })
    assert.equal(response.status, 200)
    return data?.find(({ name }) => name === 'Max')?.categoryId
  },
  async orval() {
    await orval.createPet({ name: 'Rex', categoryId: String(beyondDoubles) })
    const { data, status } = await orval.listPets({ categoryId: beyondDoubles })
    assert.equal(status, 200)
    return data.find(({ name }) => name === 'Rex')?.categoryId
  },
  async 'hey-api'() {
    client.setConfig({ baseUrl, headers, fetch: fetchQuoted })
    await heyApi.createPet({ body: { name: 'Ada', categoryId: beyondDoubles }, throwOnError: true })
    const { data } = await heyApi.listPets({ query: { categoryId: beyondDoubles }, throwOnError: true })
    return data.find(({ name }) => name === 'Ada')?.categoryId
  },
}

for (const [name, roundTrip] of Object.entries(roundTrips)) {
  const read = await roundTrip()
  assert.equal(String(read), String(beyondDoubles), `${name} does not read what it wrote`)
  console.log(`A client by ${name} writes and reads ${read}.`)
}
