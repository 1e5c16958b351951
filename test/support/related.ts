import type { Answer } from './ask.ts'
import { nothing, type Outcome, type Related, readCommonHeaders } from './both-doors.ts'
import { sendGraphql } from './graphql.ts'
import type { App, TestProject } from './start-app.ts'

type RestPet = { id: bigint; categoryId: bigint; status?: string }
type RestError = { code: string; status: number }
type Nodes<Node> = { nodes: Node[] }
type CommonHeaders = ReturnType<typeof readCommonHeaders>

const fewOrders = 1

/**
 * Reads pets, categories and orders from three lists of REST, and joins the lists to the result that `relatedByGraphql`
 * reads from GraphQL. Each of the two functions sends three requests, so that a test can also compare how much of the
 * rate limit remains (`remaining`). Each list has at most fifty items.
 */
export async function relatedByRest(project: TestProject): Promise<Outcome> {
  const answers: Answer[] = []
  for (const path of ['/v1/pets', '/v1/categories', '/v1/store/orders']) {
    const answer = await project.get(`${path}?limit=50`)
    if (answer.status >= 400) {
      const { code, status } = answer.json as RestError
      return { ...nothing, ...readCommonHeaders(answer.headers), code, status }
    }
    answers.push(answer)
  }
  const [pets, categories, orders] = answers.map(({ json }) => json) as [
    RestPet[],
    { id: bigint; name: string }[],
    { id: bigint; petId: bigint }[],
  ]
  return {
    ...nothing,
    ...readCommonHeaders((answers[2] as Answer).headers),
    related: {
      pets: pets.map(({ id, categoryId }) => {
        const own = orders.filter(({ petId }) => petId === id).map(order => `${order.id}`)
        return {
          id: `${id}`,
          category: categories.find(category => category.id === categoryId)?.name ?? null,
          orders: own.slice(0, fewOrders),
          hasMoreOrders: own.length > fewOrders,
        }
      }),
      orders: orders.map(({ id, petId }) => {
        const pet = pets.find(pet => pet.id === petId)
        return { id: `${id}`, pet: pet ? { id: `${petId}`, status: pet.status ?? null } : null }
      }),
    },
  }
}

type ShownPet = { id: string; orders: Nodes<{ id: string }> & { pageInfo: { hasNextPage: boolean } } }

export async function relatedByGraphql(app: App, project: TestProject): Promise<Outcome> {
  const shown: { nodes: unknown[] }[] = []
  let common: CommonHeaders | null = null
  for (const fields of [
    'pets(first: 50) { nodes { id category { name } } }',
    `pets(first: 50) { nodes { id orders(first: ${fewOrders}) { nodes { id } pageInfo { hasNextPage } } } }`,
    'orders(first: 50) { nodes { id pet { id status } } }',
  ]) {
    const { data, errors, headers } = await sendGraphql(app.url, project.secret, `{ answer: ${fields} }`)
    common = readCommonHeaders(headers)
    const [error] = errors
    if (error) return { ...nothing, ...common, code: error.extensions.code, status: error.extensions.status }
    shown.push(data.answer)
  }
  const [named, ordered, orders] = shown as [
    Nodes<{ id: string; category: { name: string } | null }>,
    Nodes<ShownPet>,
    Nodes<Related['orders'][number]>,
  ]
  return {
    ...nothing,
    ...(common as CommonHeaders),
    related: {
      pets: ordered.nodes.map((pet, n) => ({
        id: pet.id,
        category: named.nodes[n]?.category?.name ?? null,
        orders: pet.orders.nodes.map(({ id }) => numberOf(id)),
        hasMoreOrders: pet.orders.pageInfo.hasNextPage,
      })),
      orders: orders.nodes.map(({ id, pet }) => ({ id: numberOf(id), pet })),
    },
  }
}

const numberOf = (id: string) => id.replace('order_', '')
