import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Ago } from '../../ui/time.tsx'
import { DeployLog } from './deploy-log.tsx'

export const deployName = (id: string) => `Deploy ${id.replace('deploy_', '')}`

type Props = { deploy: DeployRowFragment; missing: string | null; onRollBack(): void }

export function DeployRow({ deploy, missing, onRollBack }: Props) {
  const { title, domains } = deploy.configuration
  const succeeded = deploy.state === 'succeeded'
  return (
    <li className="stack-tight key" {...useMark(deploy.id)}>
      <div className="head">
        <div className="row">
          <h2 className="row-title">{deployName(deploy.id)}</h2>
          {deploy.current && <Badge tone="good">In service</Badge>}
          {!deploy.current && (
            <Badge tone={succeeded ? 'still' : 'bad'}>{succeeded ? 'Succeeded' : 'Failed'}</Badge>
          )}
          <span className="small soft">
            <Ago at={deploy.createdAt} />
          </span>
        </div>
        {succeeded && !deploy.current && (
          <Button missing={missing} onClick={onRollBack} aria-label={`Roll back to ${deployName(deploy.id)}`}>
            Roll back
          </Button>
        )}
      </div>
      <dl className="facts">
        {deploy.rollbackOf && (
          <>
            <dt>Returns to</dt>
            <dd>{deployName(deploy.rollbackOf)}</dd>
          </>
        )}
        {title && (
          <>
            <dt>Title</dt>
            <dd>{title}</dd>
          </>
        )}
        <dt>Primary</dt>
        <dd>{domains.primary ?? 'the platform host'}</dd>
        {domains.redirects.length > 0 && (
          <>
            <dt>Redirects</dt>
            <dd>
              {domains.redirects.map(({ from, to, status }) => (
                <span key={from} className="record-line">
                  {from} to {to} ({status})
                </span>
              ))}
            </dd>
          </>
        )}
      </dl>
      <details open={deploy.state === 'failed'}>
        <summary>Log</summary>
        <DeployLog lines={deploy.log} />
      </details>
    </li>
  )
}
