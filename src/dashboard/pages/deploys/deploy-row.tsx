import { useId, useState } from 'react'
import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { MoreRow } from '../../ui/more-row.tsx'
import { Ago } from '../../ui/time.tsx'
import { DeployDetails } from './deploy-details.tsx'
import { deployName } from './deploy-name.ts'

type Props = { deploy: DeployRowFragment; missing: string | null; onRollBack(): void }

/** One line of the list; it expands to the details. */
export function DeployRow({ deploy, missing, onRollBack }: Props) {
  const [unfolded, setUnfolded] = useState(false)
  const details = useId()
  const name = deployName(deploy.id)
  const state = <State deploy={deploy} />
  return (
    <>
      <tr {...useMark(deploy.id)} className={unfolded ? 'with-more' : ''}>
        <th scope="row" className="break">
          <button
            type="button"
            className="fold title"
            aria-expanded={unfolded}
            aria-controls={unfolded ? details : undefined}
            onClick={() => setUnfolded(!unfolded)}
          >
            <ChevronIcon /> {name}
          </button>
          <InOneLine deploy={deploy} />
          <span className="small soft under narrow">
            {state} <Ago at={deploy.createdAt} />
          </span>
        </th>
        <td className="wide">{state}</td>
        <td className="small wide">
          <Ago at={deploy.createdAt} />
        </td>
        <td className="num">
          {deploy.state === 'succeeded' && !deploy.current && (
            <Button missing={missing} onClick={onRollBack} aria-label={t.deploys.rollBackToName(name)}>
              {t.deploys.rollBack}
            </Button>
          )}
        </td>
      </tr>
      {unfolded && (
        <MoreRow id={details} columns={4} columnsOnNarrow={2}>
          <DeployDetails deploy={deploy} />
        </MoreRow>
      )}
    </>
  )
}

function State({ deploy: { state, current } }: { deploy: DeployRowFragment }) {
  if (current) return <Badge tone="good">{t.deploys.live}</Badge>
  return state === 'succeeded' ? (
    <Badge tone="still">{t.deploys.succeeded}</Badge>
  ) : (
    <Badge tone="bad">{t.deploys.failed}</Badge>
  )
}

/** Describes the deploy in one line: its failure, the deploy it rolled back to, or what it published. */
function InOneLine({ deploy: { log, rollbackOf, configuration } }: { deploy: DeployRowFragment }) {
  const fault = log.find(({ level }) => level === 'error')
  if (fault) return <span className="small bad-text under">{fault.message}</span>
  const said = rollbackOf ? t.deploys.returnsToRollbackOf(deployName(rollbackOf)) : configuration.title
  return said && <span className="small soft under">{said}</span>
}
