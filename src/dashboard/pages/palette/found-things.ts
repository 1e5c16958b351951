import { passing } from '../../app/client.ts'
import { useQuery } from '../../app/operations.ts'
import { problemOf } from '../../app/problem.ts'
import type { Page } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import { FindKeysDocument, FindOrdersDocument, FindPetsDocument } from '../../generated/pages/graphql.ts'
import { partsOf } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import type { Entry } from './entries.ts'

type FoundThings = {
  found: Entry[]
  isSearching: boolean
  /** Why some of the things could not be searched; null if all could. */
  failure: string | null
}

/** The pets, orders and keys that a text finds. A number finds a pet and an order by their ids. */
export function useFoundThings(text: string): FoundThings {
  const number = /^#?(\d{1,19})$/.exec(text)?.[1] ?? ''
  const hasId = number !== ''
  const noPets = useMissing('pets_read') !== null
  const noOrders = useMissing('orders_read') !== null
  const isShort = text.length < 2 && !hasId
  const [pets] = useQuery({
    query: FindPetsDocument,
    variables: { name: text, id: number, hasName: !hasId, hasId },
    requestPolicy: 'cache-first',
    pause: isShort || noPets,
  })
  const [orders] = useQuery({
    query: FindOrdersDocument,
    variables: { search: text, id: `order_${number}`, hasId },
    requestPolicy: 'cache-first',
    pause: isShort || noOrders,
  })
  const [keys] = useQuery({
    query: FindKeysDocument,
    variables: { search: text },
    requestPolicy: 'cache-first',
    pause: isShort || hasId,
  })
  if (isShort) return { found: [], isSearching: false, failure: null }
  const isPet = (node: object): node is { id: string; name: string } => 'name' in node
  const isOrder = (node: object): node is NonNullable<typeof orders.data>['orders']['nodes'][number] =>
    'petName' in node
  const foundPets = [pets.data?.node, ...(pets.data?.pets?.nodes ?? [])]
    .filter(each => each != null)
    .filter(isPet)
  const foundOrders = [orders.data?.node, ...(orders.data?.orders.nodes ?? [])]
    .filter(each => each != null)
    .filter(isOrder)
  const entry = (kind: string, page: Page, id: string, own: string, label: string): Entry => ({
    id: `${kind}-${id}`,
    label,
    kind,
    to: { page, project: null, id: own },
  })
  const found = [
    ...foundPets.map(({ id, name }) => entry(t.palette.pet, 'pets', id, id, `${name} (${id})`)),
    ...foundOrders.map(({ id, petName, reference, status }) => {
      const own = id.replace('order_', '')
      return entry(
        t.palette.order,
        'orders',
        id,
        own,
        partsOf([
          t.palette.orderNumber(own),
          petName,
          ...(reference ? [reference] : []),
          t.orders.statuses[status],
        ]),
      )
    }),
    ...(hasId ? [] : (keys.data?.project.apiKeys.nodes ?? [])).map(({ id, name, prefix }) =>
      entry(t.palette.apiKey, 'keys', id, id.replace('key_', ''), `${name} (${prefix}…)`),
    ),
  ]
  const isNew = (each: Entry, index: number) => found.findIndex(({ id }) => id === each.id) === index
  const asked = hasId ? [pets, orders] : [pets, orders, keys]
  // Ignore lasting errors: the store refuses texts that no name can contain, and such texts find nothing.
  const failed = asked
    .flatMap(({ error }) => (error ? [problemOf(error)] : []))
    .find(({ code }) => passing.includes(code))
  return {
    found: found.filter(isNew),
    isSearching: asked.some(({ fetching }) => fetching),
    failure: failed?.message ?? null,
  }
}
