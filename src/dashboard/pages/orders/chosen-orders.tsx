import { toCell } from '../../app/csv-cell.ts'
import type { OrderRowFragment } from '../../generated/pages/graphql.ts'
import { number } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { ChosenBar, type Selection } from '../../ui/selection.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import type { Step } from './move-order.tsx'
import { MoveOrders } from './move-orders.tsx'
import { nextSteps } from './orders-table.tsx'

const steps: readonly Step[] = ['approve', 'deliver', 'cancel']

/** Actions on the chosen orders. Each step applies only to the orders whose status allows it. */
export function ChosenOrders({
  selection,
  missing,
}: {
  selection: Selection<OrderRowFragment>
  missing: string | null
}) {
  const [moving, setMoving, close] = useDialog<{ step: Step; orders: OrderRowFragment[] }>()
  const { chosen, choose } = selection
  const takes = (step: Step) => chosen.filter(({ status }) => nextSteps[status].includes(step))
  return (
    <>
      <ChosenBar selection={selection} what={t.orders.orders} onAll={null} isLoadingAll={false}>
        {steps.map(step => {
          const orders = takes(step)
          return (
            <Button
              key={step}
              kind={step === 'cancel' ? 'danger' : 'plain'}
              missing={missing}
              aria-disabled={orders.length === 0 || undefined}
              onClick={() => setMoving({ step, orders })}
            >
              {t.orders.steps[step].name} {orders.length > 0 && number(orders.length)}
            </Button>
          )
        })}
        <Button onClick={() => download('orders.csv', new Blob([toCsv(chosen)], { type: 'text/csv' }))}>
          {t.orders.exportIt}
        </Button>
      </ChosenBar>
      {moving && <MoveOrders {...moving} total={chosen.length} onDone={choose} onClose={close} />}
    </>
  )
}

const columns = ['id', 'status', 'petId', 'petName', 'reference', 'note', 'placedAt'] as const

function toCsv(orders: readonly OrderRowFragment[]): string {
  const lines = orders.map(order => columns.map(name => toCell(order[name] ?? '')).join(','))
  return [columns.join(','), ...lines].map(line => `${line}\r\n`).join('')
}
