import { useEffect, useState } from 'react'
import { type Client, useClient } from 'urql'
import type { ApiKeyState } from '../../../generated/contract.ts'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import { type AttentionQuery, LeakedKeyStateDocument } from '../../generated/graphql.ts'
import { t } from '../../texts/index.ts'
import { Notice } from '../../ui/notice.tsx'
import { Ago } from '../../ui/time.tsx'

type Entry = NonNullable<AttentionQuery['auditLog']>['nodes'][number]
/** `deleted`: the store does not have the key any more. `unknown`: the store gave no answer. */
type State = ApiKeyState | 'deleted' | 'unknown'

const now: Record<State, string> = {
  active: t.overview.itStillWorksRotateIt,
  overlapping: t.overview.itWasRotatedAndStill,
  expired: t.overview.itNoLongerWorks,
  revoked: t.overview.itWasRevoked,
  deleted: t.overview.itNoLongerWorks,
  unknown: '',
}
const ended: readonly State[] = ['expired', 'revoked', 'deleted']

/**
 * Names each leaked key with its present state. Leaves out a key that the store let go on working and that has ended
 * since, because nothing is left to do.
 */
export function LeakedKeys({ entries }: { entries: readonly Entry[] }) {
  const project = useProjectSlug() ?? null
  const newest = entries.filter(
    (entry, index) => entries.findIndex(({ data }) => idOf(data) === idOf(entry.data)) === index,
  )
  const states = useStates(newest.map(({ data }) => idOf(data)))
  const shown = newest.filter(({ data }) => {
    const { revoked, successorId } = data as Record<string, unknown>
    const state = states?.get(idOf(data))
    return state && (revoked === true || successorId || !ended.includes(state))
  })
  if (shown.length === 0) return null
  return (
    <Notice tone="bad" title={t.overview.keysFoundInPublic(shown.length)}>
      <ul className="stack-tight">
        {shown.map(({ id, at, data }) => {
          const { name, foundAt } = data as Record<string, unknown>
          return (
            <li key={id} className="break">
              {(typeof foundAt === 'string' ? t.overview.keyReportedFoundAt : t.overview.keyReported)(
                <Link to={{ page: 'keys', project, id: idOf(data) }}>{String(name)}</Link>,
                <Ago at={at} />,
                String(foundAt),
              )}{' '}
              {now[states?.get(idOf(data)) ?? 'unknown']}
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}

const idOf = (data: Entry['data']) => String((data as Record<string, unknown>).id)

/** Reads the present states of keys. An audit entry never changes, so it says nothing about the present. */
function useStates(ids: readonly string[]): ReadonlyMap<string, State> | null {
  const client = useClient()
  const [states, setStates] = useState<ReadonlyMap<string, State> | null>(null)
  const all = ids.join(' ')
  useEffect(() => {
    let isLatest = true
    const read = async (id: string) => [id, await readState(client, id)] as const
    void Promise.all(ids.map(read)).then(found => isLatest && setStates(new Map(found)))
    return () => {
      isLatest = false
    }
  }, [client, all])
  return states
}

async function readState(client: Client, id: string): Promise<State> {
  const { data, error } = await client
    .query(LeakedKeyStateDocument, { id: `key_${id}` }, { requestPolicy: 'network-only' })
    .toPromise()
  if (error) return 'unknown'
  return data?.node && 'state' in data.node ? data.node.state : 'deleted'
}
