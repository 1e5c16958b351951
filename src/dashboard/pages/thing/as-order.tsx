import { type ReactNode, useState } from 'react'
import { Link } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import type { OrderRowFragment } from '../../generated/pages/graphql.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page.tsx'
import { dateAndTime } from '../../ui/time.tsx'
import { MoveOrder, orderNumber, type Step, stepLabels } from '../orders/move-order.tsx'
import { nextSteps, tones } from '../orders/orders-table.tsx'
import { Facts } from './facts.tsx'
import { History } from './history.tsx'

type Props = { order: OrderRowFragment & { categoryId: string }; list: ReactNode; onLook(): void }

export function AsOrder({ order, list, onLook }: Props) {
  const { petId, petName, status, reference, note, placedAt, approvedAt, deliveredAt, cancelledAt } = order
  const missing = useMissing('orders_write')
  const [step, setStep] = useState<Step | null>(null)
  const at = (moment: string | null) => moment && dateAndTime(moment)
  const actions = nextSteps[status].map(next => (
    <Button
      key={next}
      kind={next === 'cancel' ? 'plain' : 'primary'}
      missing={missing}
      onClick={() => setStep(next)}
    >
      {stepLabels[next]}
    </Button>
  ))
  return (
    <>
      <PageHead title={`Order ${orderNumber(order)}`} actions={actions}>
        {list}
      </PageHead>
      <Facts
        title="Order"
        facts={[
          [
            'Status',
            <Badge key="status" tone={tones[status]}>
              {status}
            </Badge>,
          ],
          [
            'Pet',
            <Link key="pet" to={{ page: 'pets', project: null, id: petId }}>
              {petName} ({petId})
            </Link>,
          ],
          ['Reference', reference],
          ['Note', note],
          ['Placed', at(placedAt)],
          ['Approved', at(approvedAt)],
          ['Delivered', at(deliveredAt)],
          ['Cancelled', at(cancelledAt)],
        ]}
      />
      <History subject={`order:${orderNumber(order)}`} />
      {step && <MoveOrder order={order} step={step} onLook={onLook} onClose={() => setStep(null)} />}
    </>
  )
}
