import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { DeployLog } from './deploy-log.tsx'

/** The configuration of a deploy, and its log. */
export function DeployDetails({ deploy }: { deploy: DeployRowFragment }) {
  const { title, description, domains } = deploy.configuration
  return (
    <div className="stack-tight">
      <dl className="facts">
        <dt>Title</dt>
        <dd>{title ?? 'none'}</dd>
        {description && (
          <>
            <dt>Description</dt>
            <dd>{description}</dd>
          </>
        )}
        <dt>Primary</dt>
        <dd>{domains.primary ?? 'the platform host'}</dd>
        {domains.httpsRedirectStatus && (
          <>
            <dt>http to https</dt>
            <dd>{domains.httpsRedirectStatus}</dd>
          </>
        )}
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
      <DeployLog lines={deploy.log} />
    </div>
  )
}
