import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { DeployLog } from './deploy-log.tsx'
import { deployName } from './deploy-name.ts'

/** The configuration of a deploy, and its log. */
export function DeployDetails({ deploy }: { deploy: DeployRowFragment }) {
  const project = useProjectSlug() ?? null
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
      <p className="small">
        <Link to={{ page: 'deploys', project, id: deploy.id.replace('deploy_', '') }}>
          Page of {deployName(deploy.id)}
        </Link>
      </p>
    </div>
  )
}
