import type { TypedDocumentString } from './generated/graphql.ts'
import { graphql } from './generated/index.ts'

/** What a frontend team writes: operations beside the code that uses them, their types generated from the schema. */
const FirstPets = graphql(`
  query FirstPets($status: PetStatus, $after: String) {
    pets(first: 2, status: $status, after: $after) {
      nodes { id name categoryId status }
      pageInfo { hasNextPage endCursor }
    }
  }
`)

const AddPet = graphql(`
  mutation AddPet($input: NewPet!) {
    createPet(input: $input) { id name categoryId status }
  }
`)

const Budget = graphql(`
  query Budget {
    rateLimit { plan minute { limit remaining } }
  }
`)

type Store = { url: string; key: string }
type Reply<Result> = { data: Result | null; errors?: { message: string; extensions: { code: string } }[] }

async function ask<Result, Variables>(
  { url, key }: Store,
  operation: TypedDocumentString<Result, Variables>,
  variables: Variables,
) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    },
    body: JSON.stringify({ query: operation.toString(), variables }),
  })
  const reply = (await response.json()) as Reply<Result>
  return { status: response.status, left: response.headers.get('x-ratelimit-remaining'), ...reply }
}

/** A visit to the store by a page of another origin. */
export async function visit(store: Store) {
  const added = await ask(store, AddPet, {
    input: { name: 'Biscuit', categoryId: '9007199254740993', status: 'available' },
  })
  await ask(store, AddPet, { input: { name: 'Waffles', categoryId: '1', status: 'available' } })
  await ask(store, AddPet, { input: { name: 'Luna', categoryId: '1', status: 'available' } })

  const names: string[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof firstPets>> = await firstPets(store, after)
    names.push(...(page.data?.pets?.nodes ?? []).map(pet => pet.name))
    const info = page.data?.pets?.pageInfo
    after = info?.hasNextPage ? (info.endCursor ?? null) : null
  } while (after !== null)

  const refused = await ask(store, AddPet, { input: { name: '', categoryId: '1' } })
  const budget = await ask(store, Budget, {})
  return {
    origin: location.origin,
    added: added.data?.createPet,
    names,
    refused: { status: refused.status, code: refused.errors?.[0]?.extensions.code },
    plan: budget.data?.rateLimit?.plan,
    left: budget.left,
  }
}

const firstPets = (store: Store, after: string | null) =>
  ask(store, FirstPets, { status: 'available', after })
