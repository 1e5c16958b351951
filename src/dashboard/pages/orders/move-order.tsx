import { useMutation } from '../../app/operations.ts'
import { problemOf } from '../../app/problem.ts'
import {
  ApproveOrderDocument,
  CancelOrderDocument,
  DeliverOrderDocument,
  type OrderRowFragment,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'

export type Step = 'approve' | 'deliver' | 'cancel'

export const orderNumber = ({ id }: { id: string }) => id.replace('order_', '')
/** The types whose lists can change when an order moves to its next status. */
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
  const words = t.orders.steps[step]
  const hasMovedMeanwhile = error && problemOf(error).code === 'order_state'

  const submit = async () => {
    if (fetching) return
    const { data } = await move({ input: { id: order.id } }, moved)
    if (!data) return
    announce(words.doneFor(orderNumber(order), order.petName), order.id)
    onClose()
  }
  const look = () => {
    onLook()
    onClose()
  }
  return (
    <Dialog title={words.ask(orderNumber(order))} onClose={onClose} onSubmit={submit}>
      <p className="break">{words.means(order.petName)}</p>
      {hasMovedMeanwhile && (
        <Notice tone="wait" title={t.orders.thisOrderWasAlreadyUpdated} alert>
          <p>{problemOf(error).message}</p>
          <div>
            <Button onClick={look}>{t.orders.viewLatest}</Button>
          </div>
        </Notice>
      )}
      {error && !hasMovedMeanwhile && <Failed error={error} what={t.orders.couldntUpdateOrder} />}
      <DialogActions
        out={words.keep}
        onClose={onClose}
        act={words.act}
        acting={words.busy}
        busy={fetching}
        isDangerous={step === 'cancel'}
      />
    </Dialog>
  )
}
