import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { DeployLog } from './deploy-log.tsx'
import { deployName } from './deploy-name.ts'

/** The configuration of a deploy, and its log. */
export function DeployDetails({ deploy }: { deploy: DeployRowFragment }) {
  const project = useProjectSlug() ?? null
  const { title, description, domains } = deploy.configuration
  return (
    <div className="stack-tight">
      <dl className="facts">
        <dt>{t.deploys.title}</dt>
        <dd>{title ?? t.deploys.none}</dd>
        {description && (
          <>
            <dt>{t.deploys.description}</dt>
            <dd>{description}</dd>
          </>
        )}
        <dt>{t.deploys.primary}</dt>
        <dd>{domains.primary ?? t.deploys.platformHost}</dd>
        {domains.httpsRedirectStatus && (
          <>
            <dt>{t.deploys.httpToHttps}</dt>
            <dd>{domains.httpsRedirectStatus}</dd>
          </>
        )}
        {domains.redirects.length > 0 && (
          <>
            <dt>{t.deploys.redirects}</dt>
            <dd>
              {domains.redirects.map(({ from, to, status }) => (
                <span key={from} className="record-line">
                  {t.deploys.redirect(from, to, String(status))}
                </span>
              ))}
            </dd>
          </>
        )}
      </dl>
      <DeployLog lines={deploy.log} />
      <p className="small">
        <Link to={{ page: 'deploys', project, id: deploy.id.replace('deploy_', '') }}>
          {t.deploys.pageOfId(deployName(deploy.id))}
        </Link>
      </p>
    </div>
  )
}
