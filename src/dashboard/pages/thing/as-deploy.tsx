import type { ReactNode } from 'react'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { dateAndTime } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Badge } from '../../ui/badge.tsx'
import { PageHead } from '../../ui/page.tsx'
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
        title={t.thing.deployFacts}
        facts={[
          [
            t.thing.state,
            <Badge key="state" tone={current ? 'good' : 'still'}>
              {current ? t.thing.live : t.deploys.states[state]}
            </Badge>,
          ],
          [t.thing.published, dateAndTime(createdAt)],
          [
            t.thing.returnsTo,
            rollbackOf && (
              <Link key="of" to={{ page: 'deploys', project, id: rollbackOf.replace('deploy_', '') }}>
                {deployName(rollbackOf)}
              </Link>
            ),
          ],
          [t.thing.title, configuration.title],
          [t.thing.description, configuration.description],
          [t.thing.primaryDomain, configuration.domains.primary],
          [
            t.thing.redirects,
            configuration.domains.redirects.length > 0 && (
              <ul key="redirects">
                {configuration.domains.redirects.map(({ from, to, status }) => (
                  <li key={from}>{t.deploys.redirect(from, to, String(status))}</li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <section className="card stack-tight" aria-labelledby="log-title">
        <h2 id="log-title">{t.thing.log}</h2>
        <DeployLog lines={log} />
      </section>
      <Managed subject={id.replace('_', ':')} />
    </>
  )
}
