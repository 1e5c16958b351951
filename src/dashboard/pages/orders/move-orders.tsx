import { useRef, useState } from 'react'
import { useClient } from 'urql'
import { oneOfMany } from '../../app/client.ts'
import { askAgain } from '../../app/live.ts'
import { problemOf } from '../../app/problem.ts'
import type { OrderRowFragment } from '../../generated/pages/graphql.ts'
import { number } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { countAgain } from '../pets/count-again.ts'
import { documents, moved, orderNumber, type Step } from './move-order.tsx'

type Props = {
  step: Step
  orders: readonly OrderRowFragment[]
  /** Number of chosen orders, including those that this step skips. */
  total: number
  /** Called after the last order with the orders for which the step can be tried again. */
  onDone(left: readonly OrderRowFragment[]): void
  onClose(): void
}
type Failure = { order: OrderRowFragment; message: string }

/** Stop at one of these errors: every following order would get it too. */
const endingCodes = ['offline', 'unreadable', 'unavailable', 'rate_limited', 'key_banned', 'unauthorized']
/** With these errors the order does not allow the step any more. */
const finalCodes = ['order_state', 'order_not_found']

/** Moves orders one after the other: each moves or fails on its own, and those that failed are listed. */
export function MoveOrders({ step, orders, total, onDone, onClose }: Props) {
  const client = useClient()
  const announce = useAnnounce()
  const [tried, setTried] = useState<number | null>(null)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const [isOver, setIsOver] = useState(false)
  const isStopped = useRef(false)
  const words = t.orders.steps[step]
  const others = total - orders.length

  const submit = async () => {
    if (tried !== null) return
    const failed: Failure[] = []
    const again: OrderRowFragment[] = []
    let count = 0
    for (const order of orders) {
      setTried(count)
      if (isStopped.current) break
      count++
      const context = count === orders.length ? moved : oneOfMany
      const { error } = await client
        .mutation(documents[step], { input: { id: order.id } }, context)
        .toPromise()
      if (!error) continue
      const { code, message } = problemOf(error)
      failed.push({ order, message })
      if (!finalCodes.includes(code)) again.push(order)
      if (endingCodes.includes(code)) break
    }
    onDone([...again, ...orders.slice(count)])
    if (failed.length === 0 && count === orders.length) {
      announce(words.doneAll(count))
      return onClose()
    }
    // Only the last mutation of a series refreshes the lists and the count of pets.
    askAgain()
    countAgain(client)
    if (isStopped.current)
      announce(words.doneSome(count - failed.length, number(orders.length)), undefined, {
        isProblem: true,
      })
    setFailures(failed)
    setTried(count)
    setIsOver(true)
  }
  const leave = () => {
    isStopped.current = true
    onClose()
  }
  const title = isOver ? words.actOn(orders.length) : words.askFor(orders.length)
  return (
    <Dialog title={title} onClose={leave} onSubmit={() => void submit()}>
      {!isOver && (
        <>
          {others > 0 && <p>{t.orders.othersStay(others, number(total))}</p>}
          <ul className="soft small brief">
            {orders.slice(0, 8).map(order => (
              <li key={order.id} className="break">
                {t.orders.orderOrderPetName(orderNumber(order), order.petName)}
              </li>
            ))}
            {orders.length > 8 && <li>{t.orders.andMore(number(orders.length - 8))}</li>}
          </ul>
        </>
      )}
      {tried !== null && !isOver && (
        <p role="status">{t.orders.triedOf(number(tried), number(orders.length))}</p>
      )}
      {isOver && (
        <Notice
          tone="wait"
          title={words.doneSome((tried ?? 0) - failures.length, number(orders.length))}
          alert
        >
          <ul className="brief">
            {failures.map(({ order, message }) => (
              <li key={order.id} className="break">
                {t.orders.orderOrderPetNameMessage(orderNumber(order), order.petName, message)}
              </li>
            ))}
          </ul>
          {(tried ?? 0) < orders.length && <p>{t.orders.notTried(orders.length - (tried ?? 0))}</p>}
        </Notice>
      )}
      <div className="actions">
        <Button onClick={leave}>
          {isOver ? t.orders.close : tried === null ? t.orders.keepAsTheyAre : t.orders.stop}
        </Button>
        {!isOver && (
          <Button kind={step === 'cancel' ? 'danger' : 'primary'} type="submit" busy={tried !== null}>
            {tried === null ? words.actOn(orders.length) : words.busy}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
