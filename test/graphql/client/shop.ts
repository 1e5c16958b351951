import {
  AddPetDocument,
  BudgetDocument,
  FirstPetsDocument,
  type TypedDocumentString,
} from './generated/operations.ts'

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

/**
 * Runs in a page of another origin: adds pets to the store, lists the pets, and sends a request that the store refuses.
 */
export async function visit(store: Store) {
  const added = await ask(store, AddPetDocument, {
    input: { name: 'Biscuit', categoryId: '9007199254740993', status: 'available' },
  })
  await ask(store, AddPetDocument, { input: { name: 'Waffles', categoryId: '1', status: 'available' } })
  await ask(store, AddPetDocument, { input: { name: 'Luna', categoryId: '1', status: 'available' } })

  const names: string[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof firstPets>> = await firstPets(store, after)
    names.push(...(page.data?.pets?.nodes ?? []).map(pet => pet.name))
    const info = page.data?.pets?.pageInfo
    after = info?.hasNextPage ? (info.endCursor ?? null) : null
  } while (after !== null)

  const refused = await ask(store, AddPetDocument, { input: { name: '', categoryId: '1' } })
  const budget = await ask(store, BudgetDocument, {})
  return {
    origin: location.origin,
    added: added.data?.petCreate?.pet,
    names,
    refused: { status: refused.status, code: refused.errors?.[0]?.extensions.code },
    plan: budget.data?.rateLimit?.plan,
    left: budget.left,
  }
}

const firstPets = (store: Store, after: string | null) =>
  ask(store, FirstPetsDocument, { status: 'available', after })
