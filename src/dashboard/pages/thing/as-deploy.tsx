import type { ReactNode } from 'react'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { Badge } from '../../ui/badge.tsx'
import { PageHead } from '../../ui/page.tsx'
import { dateAndTime } from '../../ui/time.tsx'
import { DeployLog } from '../deploys/deploy-log.tsx'
import { deployName } from '../deploys/deploy-name.ts'
import { Facts } from './facts.tsx'
import { Managed } from './managed.tsx'

export function AsDeploy({ deploy, list }: { deploy: DeployRowFragment; list: ReactNode }) {
  const { id, state, current, rollbackOf, createdAt, configuration, log } = deploy
  const project = useProjectSlug() ?? null
  return (
    <>
      <PageHead title={deployName(id)}>{list}</PageHead>
      <Facts
        title="Deploy"
        facts={[
          [
            'State',
            <Badge key="state" tone={current ? 'good' : 'still'}>
              {current ? 'Live' : state}
            </Badge>,
          ],
          ['Published', dateAndTime(createdAt)],
          [
            'Returns to',
            rollbackOf && (
              <Link key="of" to={{ page: 'deploys', project, id: rollbackOf.replace('deploy_', '') }}>
                {deployName(rollbackOf)}
              </Link>
            ),
          ],
          ['Title', configuration.title],
          ['Description', configuration.description],
          ['Primary domain', configuration.domains.primary],
          [
            'Redirects',
            configuration.domains.redirects.length > 0 && (
              <ul key="redirects">
                {configuration.domains.redirects.map(({ from, to, status }) => (
                  <li key={from}>
                    {from} to {to} ({status})
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <section className="card stack-tight" aria-labelledby="log-title">
        <h2 id="log-title">Log</h2>
        <DeployLog lines={log} />
      </section>
      <Managed subject={id.replace('_', ':')} />
    </>
  )
}
