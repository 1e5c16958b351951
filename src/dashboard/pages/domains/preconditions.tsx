import type { ReactNode } from 'react'
import type { CombinedError } from 'urql'
import { useQuery, type Whole } from '../../app/operations.ts'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import {
  DomainPreconditionsDocument,
  type DomainPreconditionsQuery,
  type PreconditionFragment,
} from '../../generated/pages/graphql.ts'
import { GoodIcon, InfoIcon, StopIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { date, useNow } from '../../ui/time.tsx'

const context = { additionalTypenames: ['Deploy'] }

export function usePreconditions() {
  const project = useProjectSlug() ?? null
  const [{ data, error }] = useQuery({ query: DomainPreconditionsDocument, variables: { project }, context })
  return { data, error }
}

type Props = {
  data: Whole<DomainPreconditionsQuery> | undefined
  error: CombinedError | undefined
  hasDomains: boolean
}

/** Lists the preconditions that are not met, each with a link. Shows nothing once all are met. */
export function Preconditions({ data, error, hasDomains }: Props) {
  const now = useNow()
  const project = useProjectSlug() ?? null
  const graceEndsAt = data?.project.domainGraceEndsAt
  const isOver = graceEndsAt && Date.parse(graceEndsAt) <= now
  if (error && !data) return <Failed error={error} what="The preconditions could not be loaded" />
  const preconditions = data?.project.domainPreconditions
  return (
    <>
      {graceEndsAt && hasDomains && (
        <Notice tone={isOver ? 'bad' : 'wait'} title="The plan no longer includes domains">
          {isOver ? (
            <p>
              None of them is served since {date(graceEndsAt)}, and no certificate is renewed. Both come back
              with plan pro or above.
            </p>
          ) : (
            <p>They stay served until {date(graceEndsAt)}. With plan pro or above they stay for good.</p>
          )}
        </Notice>
      )}
      {preconditions && !preconditions.met && (
        <div className="card stack">
          <h3>Before you add a domain</h3>
          <ul className="stack checklist">
            <Item title="A paid plan (Pro or above)" precondition={preconditions.plan}>
              <Link to={{ page: 'settings/general', project }}>See the plans</Link>
            </Item>
            <Item title="A successful deploy of the project" precondition={preconditions.deploy}>
              <Link to={{ page: 'deploys', project }}>Go to Deploys</Link>
            </Item>
            <li>
              <InfoIcon />
              <div>
                <p>Access to the DNS settings of the domain's registrar</p>
                <p className="small soft">There you will create the record that is shown here.</p>
              </div>
            </li>
          </ul>
        </div>
      )}
    </>
  )
}

function Item({
  title,
  precondition,
  children,
}: {
  title: string
  precondition: PreconditionFragment
  children: ReactNode
}) {
  return (
    <li className={precondition.met ? 'met' : 'unmet'}>
      {precondition.met ? <GoodIcon /> : <StopIcon />}
      <div>
        <p>
          {title}
          <span className="sr">{precondition.met ? ' (done)' : ' (to do)'}</span>
        </p>
        <p className="small soft">
          {precondition.message} {!precondition.met && children}
        </p>
      </div>
    </li>
  )
}
