import { useId, useState } from 'react'
import type { CombinedError } from 'urql'
import { useMutation } from '../../app/operations.ts'
import { problemOf } from '../../app/problem.ts'
import {
  type DeliveryRowFragment,
  RedeliverEventDocument,
  type WebhookDeliveriesQuery,
} from '../../generated/pages/graphql.ts'
import { dateAndTime, number } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { MoreRow } from '../../ui/more-row.tsx'
import { Pager, type usePaging } from '../../ui/pager.tsx'
import { Failed, Loading, Outdated } from '../../ui/states.tsx'
import { Table, unseen } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

const columns = [
  [t.webhooks.event],
  [t.webhooks.answer, 'col-m wide'],
  [t.webhooks.duration, 'col-m wide'],
  [t.webhooks.sent, 'col-m wide'],
  [unseen(t.webhooks.actions), 'col-action'],
] as const

type Props = {
  id: string
  page: DeliveriesPage | undefined
  error: CombinedError | undefined
  isEarlier: boolean
  paging: ReturnType<typeof usePaging>
  again(): void
  onRedelivered(): void
}
type DeliveriesPage = NonNullable<WebhookDeliveriesQuery['webhook']>['deliveries']

/** The delivery attempts of a webhook endpoint, the newest first. */
export function Deliveries({ id, page, error, isEarlier, paging, again, onRedelivered }: Props) {
  return (
    <section className="stack" aria-labelledby="deliveries-title">
      <h2 id="deliveries-title">{t.webhooks.deliveries}</h2>
      {error && !page ? (
        <Failed error={error} retry={again} what={t.webhooks.deliveriesCouldNotBeLoaded} />
      ) : !page ? (
        <Loading />
      ) : page.nodes.length === 0 ? (
        <p className="soft">{t.webhooks.nothingWasSentInLast}</p>
      ) : (
        <>
          <Outdated error={error} retry={again} />
          <Table columns={columns}>
            {page.nodes.map(delivery => (
              <Row key={delivery.id} endpoint={id} delivery={delivery} onRedelivered={onRedelivered} />
            ))}
          </Table>
          <Pager paging={paging} info={page.pageInfo} isEarlier={isEarlier} count={page.nodes.length} />
        </>
      )}
    </section>
  )
}

type RowProps = { endpoint: string; delivery: DeliveryRowFragment; onRedelivered(): void }

function Row({ endpoint, delivery, onRedelivered }: RowProps) {
  const { event, type, at, ms } = delivery
  const [isUnfolded, setIsUnfolded] = useState(false)
  const details = useId()
  const isTest = event === '0'
  return (
    <>
      <tr className={isUnfolded ? 'with-more' : ''}>
        <th scope="row" className="break">
          <button
            type="button"
            className="fold title"
            aria-expanded={isUnfolded}
            aria-controls={isUnfolded ? details : undefined}
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            <ChevronIcon /> {type}
          </button>
          {!isTest && <span className="small soft under">{t.webhooks.eventEvent(event)}</span>}
          <span className="small soft under narrow">
            {t.webhooks.answeredMsWhen(<Answered delivery={delivery} />, number(ms), <Ago at={at} />)}
          </span>
        </th>
        <td className="wide">
          <Answered delivery={delivery} />
        </td>
        <td className="small wide">{t.webhooks.milliseconds(number(ms))}</td>
        <td className="small wide">
          <Ago at={at} />
        </td>
        <td className="num">
          {!isTest && <Redeliver endpoint={endpoint} event={event} onDone={onRedelivered} />}
        </td>
      </tr>
      {isUnfolded && (
        <MoreRow id={details} columns={5} columnsOnNarrow={2}>
          <Answer delivery={delivery} />
        </MoreRow>
      )}
    </>
  )
}

function Answered({ delivery: { status } }: { delivery: Pick<DeliveryRowFragment, 'status'> }) {
  if (status === null) return <Badge tone="bad">{t.webhooks.noAnswer}</Badge>
  return <Badge tone={status >= 200 && status < 300 ? 'good' : 'bad'}>{status}</Badge>
}

type Answer = Pick<DeliveryRowFragment, 'answer' | 'problem'> & { at?: string }

/** The first KB of the receiver's answer, or the reason why none came. */
export function Answer({ delivery: { answer, problem, at } }: { delivery: Answer }) {
  return (
    <div className="stack-tight">
      {at && <p className="small soft">{t.webhooks.sentWhen(dateAndTime(at))}</p>}
      {problem && <p>{problem}</p>}
      {answer !== '' ? (
        <div className="code">
          <pre>
            <code>{answer}</code>
          </pre>
        </div>
      ) : (
        !problem && <p className="soft">{t.webhooks.answerWasEmpty}</p>
      )}
    </div>
  )
}

type RedeliverProps = { endpoint: string; event: string; onDone(): void }

function Redeliver({ endpoint, event, onDone }: RedeliverProps) {
  const [{ fetching }, redeliver] = useMutation(RedeliverEventDocument)
  const announce = useAnnounce()
  const act = async () => {
    const { data, error } = await redeliver({ input: { id: endpoint, event } })
    if (error) announce(problemOf(error).message, undefined, { isProblem: true })
    if (!data) return
    announce(t.webhooks.eventEventIsOnIts(event))
    onDone()
  }
  return (
    <Button onClick={() => void act()} busy={fetching} aria-label={t.webhooks.redeliverEventEvent(event)}>
      {t.webhooks.redeliver}
    </Button>
  )
}
