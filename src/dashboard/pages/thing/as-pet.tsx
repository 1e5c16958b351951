import type { ReactNode } from 'react'
import { useLiveQuery } from '../../app/live.ts'
import { Link, useRouter } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import { OrdersOfPetDocument, type PetRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useHiddenRows } from '../../ui/hidden-rows.ts'
import { PageHead } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { orderNumber } from '../orders/move-order.tsx'
import { EditPet } from '../pets/edit-pet.tsx'
import { usePetActs } from '../pets/pet-acts.ts'
import { tones } from '../pets/pets-table.tsx'
import { PlaceOrder } from '../pets/place-order.tsx'
import { Facts } from './facts.tsx'
import { History } from './history.tsx'

export function AsPet({ pet, list }: { pet: PetRowFragment; list: ReactNode }) {
  const { id, name, status, categoryId, category } = pet
  const missing = useMissing('pets_write')
  const missingForOrders = useMissing('orders_write')
  const [doing, setDoing, close] = useDialog<'edit' | 'order'>()
  const { remove } = usePetActs()
  const { go } = useRouter()
  if (useHiddenRows().has(id)) return <Deleted name={name} list={list} />
  const canBeOrdered = status === null || status === 'available'
  return (
    <>
      <PageHead
        title={name}
        actions={
          <>
            {canBeOrdered && (
              <Button missing={missingForOrders} onClick={() => setDoing('order')}>
                {t.thing.placeOrder}
              </Button>
            )}
            <Button
              kind="danger"
              missing={missing}
              onClick={() => {
                remove([pet])
                go({ page: 'pets', project: null })
              }}
            >
              {t.thing.deleteIt}
            </Button>
            <Button kind="primary" missing={missing} onClick={() => setDoing('edit')}>
              {t.thing.edit}
            </Button>
          </>
        }
      >
        {list}
      </PageHead>
      <Facts
        title={t.thing.petFacts}
        facts={[
          [t.thing.id, id],
          [
            t.thing.status,
            <Badge key="status" tone={status ? tones[status] : 'plain'}>
              {status ? t.pets.statuses[status] : t.thing.notSetInSentence}
            </Badge>,
          ],
          [
            t.thing.category,
            <Link key="category" to={{ page: 'pets', project: null, query: { categoryId } }}>
              {category ? `${category.name} (${categoryId})` : categoryId}
            </Link>,
          ],
        ]}
      />
      <OrdersOf petId={id} />
      <History subject={`pet:${id}`} />
      {doing === 'edit' && <EditPet pet={pet} onClose={close} />}
      {doing === 'order' && <PlaceOrder pet={pet} onClose={close} />}
    </>
  )
}

/** Shown while Undo is still possible, for example after Delete and then Back. */
const Deleted = ({ name, list }: { name: string; list: ReactNode }) => (
  <>
    <PageHead title={name}>{list}</PageHead>
    <div className="card">
      <Empty title={t.thing.thisPetIsDeleted}>
        <p>{t.thing.chooseUndoInMessageTo}</p>
      </Empty>
    </div>
  </>
)

function OrdersOf({ petId }: { petId: string }) {
  const pause = useMissing('orders_read') !== null
  const [{ data }] = useLiveQuery({ query: OrdersOfPetDocument, variables: { petId }, pause })
  if (!data || data.orders.nodes.length === 0) return null
  return (
    <section className="card stack-tight" aria-labelledby="orders-title">
      <h2 id="orders-title">{t.thing.orders}</h2>
      <ul className="stack-tight">
        {data.orders.nodes.map(order => (
          <li key={order.id} className="row">
            <Link to={{ page: 'orders', project: null, id: orderNumber(order) }}>
              {t.thing.orderOrder(orderNumber(order))}
            </Link>
            <span className="soft small">
              {t.thing.statusAndPlaced(t.orders.statuses[order.status], <Ago at={order.placedAt} />)}
            </span>
          </li>
        ))}
      </ul>
      {data.orders.pageInfo.hasNextPage && (
        <Link to={{ page: 'orders', project: null, query: { petId } }}>{t.thing.allOrdersOfThisPet}</Link>
      )}
    </section>
  )
}
