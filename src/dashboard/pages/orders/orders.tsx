import { useActFromAddress } from '../../app/act-from-address.ts'
import { useLiveQuery } from '../../app/live.ts'
import { Link, useRouter } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import { OrdersDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Filter, useFilter } from '../../ui/filter.tsx'
import { OrdersIcon, PlusIcon } from '../../ui/icons.tsx'
import { MissingScope } from '../../ui/missing-scope.tsx'
import { News } from '../../ui/news.tsx'
import { PageHead } from '../../ui/page.tsx'
import { NoRows, Pager, usePageSize, usePaging } from '../../ui/pager.tsx'
import { PetInput } from '../../ui/pet-input.tsx'
import { PickerFilter } from '../../ui/picker-filter.tsx'
import { Search } from '../../ui/search.tsx'
import { useSelection } from '../../ui/selection.tsx'
import { useAgeOrder } from '../../ui/sort.ts'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { PlaceOrder } from '../pets/place-order.tsx'
import { ChosenOrders } from './chosen-orders.tsx'
import { MoveOrder } from './move-order.tsx'
import { type Act, OrdersTable } from './orders-table.tsx'

const statuses = [
  { value: 'all', label: t.orders.all },
  { value: 'placed', label: t.orders.placed },
  { value: 'approved', label: t.orders.approved },
  { value: 'delivered', label: t.orders.delivered },
  { value: 'cancelled', label: t.orders.cancelled },
] as const
const eventTypes = [
  ...[
    'order.placed',
    'order.approved',
    'order.delivered',
    'order.cancelled',
    'order.updated',
    'order.deleted',
  ],
]
const statusValues = statuses.map(({ value }) => value)

export default function Orders() {
  const mayRead = useMissing('orders_read')
  const mayWrite = useMissing('orders_write')
  const [isPlacing, setIsPlacing, close] = useDialog<true>()
  useActFromAddress('add', () => setIsPlacing(true))
  const place = (
    <Button kind="primary" missing={mayWrite} onClick={() => setIsPlacing(true)}>
      <PlusIcon /> {t.orders.newOrder}
    </Button>
  )
  return (
    <>
      <PageHead title={t.orders.title} actions={place}>
        {t.orders.ordersForYourPets}
      </PageHead>
      {mayRead === null ? <OrderList /> : <MissingScope scope={mayRead} what={t.orders.orders} />}
      {isPlacing && <PlaceOrder pet={null} onClose={close} />}
    </>
  )
}

function OrderList() {
  const { query } = useRouter()
  const chosen = useFilter('status', statusValues)
  const status = chosen === 'all' ? null : chosen
  const search = query.get('search')
  const petId = query.get('petId')
  const paging = usePaging()
  const pageSize = usePageSize()
  const missing = useMissing('orders_write')
  const [doing, setDoing, close] = useDialog<Act>()
  const order = useAgeOrder(paging.after, pageSize)
  const variables = { ...order.variables, status, petId, search }
  const [{ data, error, fetching, stale, isEarlier }, ask] = useLiveQuery({
    query: OrdersDocument,
    variables,
  })
  const page = data && order.turned(data.orders)
  const selection = useSelection(page?.nodes ?? [], JSON.stringify([status, petId, search]))
  const again = () => ask({ requestPolicy: 'network-only' })
  const has = (text: unknown) =>
    String(text ?? '')
      .toLowerCase()
      .includes(search?.toLowerCase() ?? '')
  const isListed = (order: Record<string, unknown>) =>
    (status === null || order.status === status) &&
    (petId === null || String(order.petId) === petId) &&
    (has(order.reference) || has(order.petName))
  return (
    <section className="stack" aria-label={t.orders.title} aria-busy={fetching || stale}>
      <search className="filters">
        <Search label={t.orders.referenceOrPetsName} name="search" />
        <PickerFilter label={t.orders.pet} name="petId" input={PetInput} />
        <Filter label={t.orders.status} name="status" options={statuses} />
      </search>
      {data && <Outdated error={error} retry={again} />}
      {page && (
        <News
          types={eventTypes}
          isListed={isListed}
          shown={page.nodes.map(({ id }) => id.replace('_', ':'))}
          show={again}
        />
      )}
      {error && !data ? (
        <Failed error={error} retry={again} what={t.orders.ordersCouldNotBeLoaded} />
      ) : !page ? (
        <Loading lines={9} />
      ) : (
        <>
          {page.nodes.length === 0 ? (
            <NoOrder
              isFiltered={status !== null || petId !== null || search !== null}
              hasMore={page.pageInfo.hasNextPage}
              isSearch={search !== null}
              isEmptied={paging.page > 1}
            />
          ) : (
            <OrdersTable orders={page.nodes} missing={missing} selection={selection} onAct={setDoing} />
          )}
          <ChosenOrders selection={selection} missing={missing} />
          <Pager
            paging={paging}
            info={page.pageInfo}
            isEarlier={isEarlier}
            count={page.nodes.length}
            hasSizes
          />
        </>
      )}
      {doing && <MoveOrder {...doing} onLook={again} onClose={close} />}
    </section>
  )
}

type NoOrderProps = {
  isFiltered: boolean
  isSearch: boolean
  hasMore: boolean
  /** True if this page is not the first: earlier pages may have orders, so the text must not say that there are none yet. */
  isEmptied: boolean
}

function NoOrder({ isFiltered, isSearch, hasMore, isEmptied }: NoOrderProps) {
  return (
    <NoRows isEmptied={isEmptied && !hasMore} isEndOfSearch={isSearch && !hasMore}>
      <Empty
        icon={<OrdersIcon size={34} />}
        title={isFiltered ? t.orders.noOrdersMatchYourSearch : t.orders.noOrdersYet}
      >
        {isFiltered ? (
          <p>{hasMore ? t.orders.noMatchesSoFar : t.orders.changeStatusReferenceOrPet}</p>
        ) : (
          <p>
            {t.orders.chooseNewOrderOrPlace(
              <Link to={{ page: 'pets', project: null }}>{t.orders.pets}</Link>,
            )}
          </p>
        )}
      </Empty>
    </NoRows>
  )
}
