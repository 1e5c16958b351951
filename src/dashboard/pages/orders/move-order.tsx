import { useMutation } from '../../app/operations.ts'
import { problemOf } from '../../app/problem.ts'
import {
  ApproveOrderDocument,
  CancelOrderDocument,
  DeliverOrderDocument,
  type OrderRowFragment,
} from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'

export type Step = 'approve' | 'deliver' | 'cancel'

export const orderNumber = ({ id }: { id: string }) => id.replace('order_', '')
export const stepLabels: Record<Step, string> = { approve: 'Approve', deliver: 'Deliver', cancel: 'Cancel' }

type Words = { busy: string; done: string; keep: string; means(petName: string): string }
export const words: Record<Step, Words> = {
  approve: {
    busy: 'Approving…',
    done: 'Approved',
    keep: 'Cancel',
    means: petName => `${petName} stays pending, and the order can be delivered.`,
  },
  deliver: {
    busy: 'Delivering…',
    done: 'Delivered',
    keep: 'Cancel',
    means: petName => `${petName} is sold with it, and the order cannot be cancelled any more.`,
  },
  cancel: {
    busy: 'Cancelling…',
    done: 'Cancelled',
    keep: 'Keep order',
    means: petName => `${petName} gets back the status that it had, and the order ends for good.`,
  },
}
/** The lists that show something else after an order has moved. */
export const moved = { additionalTypenames: ['Order', 'OrderConnection', 'Pet', 'PetConnection'] }

export const documents = {
  approve: ApproveOrderDocument,
  deliver: DeliverOrderDocument,
  cancel: CancelOrderDocument,
}

type Props = {
  order: OrderRowFragment
  step: Step
  /** Refreshes the list of orders. */
  onLook(): void
  onClose(): void
}

/** Asks for confirmation of an order's next step, and says what the step does to the pet. */
export function MoveOrder({ order, step, onLook, onClose }: Props) {
  const [{ fetching, error }, move] = useMutation(documents[step])
  const announce = useAnnounce()
  const { busy, done, keep, means } = words[step]
  const name = `order ${orderNumber(order)}`
  const hasMovedMeanwhile = error && problemOf(error).code === 'order_state'

  const submit = async () => {
    if (fetching) return
    const { data } = await move({ input: { id: order.id } }, moved)
    if (!data) return
    announce(`${done} ${name} for ${order.petName}.`, order.id)
    onClose()
  }
  const look = () => {
    onLook()
    onClose()
  }
  return (
    <Dialog title={`${stepLabels[step]} ${name}?`} onClose={onClose} onSubmit={submit}>
      <p className="break">{means(order.petName)}</p>
      {hasMovedMeanwhile && (
        <Notice tone="wait" title="This order was already updated" alert>
          <p>{problemOf(error).message}</p>
          <div>
            <Button onClick={look}>View latest</Button>
          </div>
        </Notice>
      )}
      {error && !hasMovedMeanwhile && <Failed error={error} what="Couldn’t update the order" />}
      <DialogActions
        out={keep}
        onClose={onClose}
        act={step === 'cancel' ? 'Cancel the order' : stepLabels[step]}
        acting={busy}
        busy={fetching}
        isDangerous={step === 'cancel'}
      />
    </Dialog>
  )
}
