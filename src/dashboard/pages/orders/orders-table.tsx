import type { OrderStatus } from '../../../generated/contract.ts'
import { Link } from '../../app/router.tsx'
import type { OrderRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoosePage, ChooseRow, type Selection } from '../../ui/selection.tsx'
import { byAge } from '../../ui/sort.ts'
import { Table, unseen } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { orderNumber, type Step } from './move-order.tsx'

export type Act = { step: Step; order: OrderRowFragment }
type Props = {
  missing: string | null
  selection: Selection<OrderRowFragment>
  onAct(act: Act): void
}

/** Orders that need work are coloured. */
export const tones = { placed: 'wait', approved: 'good', delivered: 'still', cancelled: 'plain' } as const
/** The next steps that each status allows. */
export const nextSteps: Record<OrderStatus, Step[]> = {
  placed: ['approve', 'cancel'],
  approved: ['deliver', 'cancel'],
  delivered: [],
  cancelled: [],
}

const columns = (selection: Props['selection']) =>
  [
    [<ChoosePage key="all" selection={selection} />, 'col-check'],
    [t.orders.pet],
    [t.orders.status, 'col-m wide'],
    [t.orders.placed, 'col-l wide', byAge],
    [unseen(t.orders.nextSteps), 'col-steps'],
  ] as const

export function OrdersTable({ orders, ...rest }: Props & { orders: OrderRowFragment[] }) {
  return (
    <Table columns={columns(rest.selection)}>
      {orders.map(order => (
        <Row key={order.id} order={order} {...rest} />
      ))}
    </Table>
  )
}

function Row({ order, missing, selection, onAct }: Props & { order: OrderRowFragment }) {
  const { petName, petId, status, reference, note, placedAt } = order
  const number = orderNumber(order)
  const movedAt = order.cancelledAt ?? order.deliveredAt ?? order.approvedAt
  return (
    <tr {...useMark(order.id)} data-chosen={selection.has(order.id) || undefined}>
      <ChooseRow selection={selection} id={order.id} name={t.orders.orderInSentence(number)} />
      <th scope="row" className="break">
        {petName}
        <span className="small soft under">
          {t.orders.orderOfPet(
            <Link className="plain" to={{ page: 'orders', project: null, id: number }}>
              {t.orders.orderNumber(number)}
            </Link>,
            reference,
            petId,
          )}
        </span>
        {note && <span className="small soft under">{note}</span>}
        <span className="small soft under narrow">
          <Badge tone={tones[status]}>{t.orders.statuses[status]}</Badge> <Ago at={movedAt ?? placedAt} />
        </span>
      </th>
      <td className="wide">
        <Badge tone={tones[status]}>{t.orders.statuses[status]}</Badge>
      </td>
      <td className="soft wide">
        <Ago at={placedAt} />
        {movedAt && (
          <span className="small under">
            {t.orders.statusSince(t.orders.statuses[status], <Ago at={movedAt} />)}
          </span>
        )}
      </td>
      <td>
        <div className="steps">
          {nextSteps[status].map(step => (
            <Button
              key={step}
              kind={step === 'cancel' ? 'quiet' : 'plain'}
              missing={missing}
              onClick={() => onAct({ step, order })}
              aria-label={t.orders.steps[step].label(number)}
            >
              {t.orders.steps[step].name}
            </Button>
          ))}
        </div>
      </td>
    </tr>
  )
}
