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
import { date } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { GoodIcon, InfoIcon, StopIcon } from '../../ui/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { useNow } from '../../ui/time.tsx'

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
  if (error && !data) return <Failed error={error} what={t.domains.preconditionsCouldNotBeLoaded} />
  const preconditions = data?.project.domainPreconditions
  return (
    <>
      {graceEndsAt && hasDomains && (
        <Notice tone={isOver ? 'bad' : 'wait'} title={t.domains.planNoLongerIncludesDomains}>
          {isOver ? (
            <p>{t.domains.noneOfThemIsServed(date(graceEndsAt))}</p>
          ) : (
            <p>{t.domains.theyStayServedUntilWhen(date(graceEndsAt))}</p>
          )}
        </Notice>
      )}
      {preconditions && !preconditions.met && (
        <div className="card stack">
          <h3>{t.domains.beforeYouAddDomain}</h3>
          <ul className="stack checklist">
            <Item title={t.domains.paidPlanProOrAbove} precondition={preconditions.plan}>
              <Link to={{ page: 'settings/general', project }}>{t.domains.seePlans}</Link>
            </Item>
            <Item title={t.domains.successfulDeployOfProject} precondition={preconditions.deploy}>
              <Link to={{ page: 'deploys', project }}>{t.domains.goToDeploys}</Link>
            </Item>
            <li>
              <InfoIcon />
              <div>
                <p>{t.domains.accessToDnsSettingsOf}</p>
                <p className="small soft">{t.domains.thereYouWillCreateRecord}</p>
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
          {title} <span className="sr">{precondition.met ? t.domains.isDone : t.domains.isToDo}</span>
        </p>
        <p className="small soft">
          {precondition.message} {!precondition.met && children}
        </p>
      </div>
    </li>
  )
}
