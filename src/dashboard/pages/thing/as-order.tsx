import type { ReactNode } from 'react'
import { Link } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import type { OrderRowFragment } from '../../generated/pages/graphql.ts'
import { dateAndTime } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { MoveOrder, orderNumber, type Step } from '../orders/move-order.tsx'
import { nextSteps, tones } from '../orders/orders-table.tsx'
import { Facts } from './facts.tsx'
import { History } from './history.tsx'

type Props = { order: OrderRowFragment & { categoryId: string }; list: ReactNode; onLook(): void }

export function AsOrder({ order, list, onLook }: Props) {
  const { petId, petName, status, reference, note, placedAt, approvedAt, deliveredAt, cancelledAt } = order
  const missing = useMissing('orders_write')
  const [step, setStep, close] = useDialog<Step>()
  const at = (moment: string | null) => moment && dateAndTime(moment)
  const actions = nextSteps[status].map(next => (
    <Button
      key={next}
      kind={next === 'cancel' ? 'plain' : 'primary'}
      missing={missing}
      onClick={() => setStep(next)}
    >
      {t.orders.steps[next].name}
    </Button>
  ))
  return (
    <>
      <PageHead title={t.thing.orderOrder(orderNumber(order))} actions={actions}>
        {list}
      </PageHead>
      <Facts
        title={t.thing.orderFacts}
        facts={[
          [
            t.thing.status,
            <Badge key="status" tone={tones[status]}>
              {t.orders.statuses[status]}
            </Badge>,
          ],
          [
            t.thing.petFacts,
            <Link key="pet" to={{ page: 'pets', project: null, id: petId }}>
              {petName} ({petId})
            </Link>,
          ],
          [t.thing.reference, reference],
          [t.thing.note, note],
          [t.thing.placed, at(placedAt)],
          [t.thing.approved, at(approvedAt)],
          [t.thing.delivered, at(deliveredAt)],
          [t.thing.cancelled, at(cancelledAt)],
        ]}
      />
      <History subject={`order:${orderNumber(order)}`} />
      {step && <MoveOrder order={order} step={step} onLook={onLook} onClose={close} />}
    </>
  )
}
