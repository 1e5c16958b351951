import { useActFromAddress } from '../../app/act-from-address.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { useMissing } from '../../app/session.ts'
import { type DeployRowFragment, DeploysDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { DeployIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Pager, usePaging } from '../../ui/pager.tsx'
import { useAgeOrder } from '../../ui/sort.ts'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { DeploysTable } from './deploys-table.tsx'
import { Publish } from './publish.tsx'
import { RollBack } from './roll-back.tsx'

const pageSize = 15

type Doing = { act: 'publish' } | { act: 'roll-back'; to: DeployRowFragment }

export default function Deploys() {
  const missing = useMissing('project_write')
  const [doing, setDoing, close] = useDialog<Doing>()
  const project = useProjectSlug() ?? null
  const paging = usePaging()
  const order = useAgeOrder(paging.after, pageSize)
  const [{ data, error, isEarlier }, ask] = useLiveQuery({
    query: DeploysDocument,
    variables: { ...order.variables, project },
    context,
  })
  const publish = () => setDoing({ act: 'publish' })
  useActFromAddress('add', publish)
  const page = data && order.turned(data.project.deploys)
  const deploys = page?.nodes
  const again = () => ask({ requestPolicy: 'network-only' })
  return (
    <>
      <PageHead
        title={t.deploys.deploys}
        actions={
          <Button kind="primary" missing={missing} onClick={publish}>
            <DeployIcon size={18} /> {t.deploys.publish}
          </Button>
        }
      >
        {t.deploys.deployingMakesYourProjectLive}
      </PageHead>
      {error && !deploys ? (
        <Failed error={error} retry={again} what={t.deploys.deploysCouldNotBeLoaded} />
      ) : !deploys ? (
        <Loading lines={6} />
      ) : deploys.length === 0 ? (
        <div className="card">
          <Empty icon={<DeployIcon size={36} />} title={t.deploys.notPublishedYet}>
            <p>{t.deploys.firstDeployServesProjectAt}</p>
            {missing === null && <Button onClick={publish}>{t.deploys.publishProject}</Button>}
          </Empty>
        </div>
      ) : (
        <div className="stack">
          <Outdated error={error} retry={again} />
          <DeploysTable
            deploys={deploys}
            missing={missing}
            onRollBack={to => setDoing({ act: 'roll-back', to })}
          />
          <Pager paging={paging} info={page.pageInfo} isEarlier={isEarlier} count={page.nodes.length} />
        </div>
      )}
      {doing?.act === 'publish' && <Publish onClose={close} />}
      {doing?.act === 'roll-back' && <RollBack to={doing.to} onClose={close} />}
    </>
  )
}

const context = { additionalTypenames: ['Deploy'] }
