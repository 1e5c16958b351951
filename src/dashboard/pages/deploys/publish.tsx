import { useState } from 'react'
import { useDraft } from '../../app/draft.ts'
import { useMutation, useQuery } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { useProjectId, useProjectSlug } from '../../app/project.ts'
import {
  type ConfigurationFragment,
  CurrentConfigurationDocument,
  type CurrentConfigurationQuery,
  DeployDocument,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed, Loading } from '../../ui/states.tsx'
import { DeployLog } from './deploy-log.tsx'
import { deployName } from './deploy-name.ts'
import { useLatestConfiguration } from './latest-configuration.ts'

const words = {
  title: t.deploys.enterTitleOfAtMost,
  description: t.deploys.enterDescriptionOfAtMost,
}

export function Publish({ onClose }: { onClose(): void }) {
  const project = useProjectSlug() ?? null
  const [{ data, error }, ask] = useQuery({
    query: CurrentConfigurationDocument,
    variables: { project },
    requestPolicy: 'network-only',
  })
  if (data) return <PublishForm project={data.project} onClose={onClose} />
  return (
    <Dialog title={t.deploys.publish} onClose={onClose}>
      {error ? (
        <Failed
          error={error}
          what={t.deploys.configurationCouldNotBeLoaded}
          retry={() => ask({ requestPolicy: 'network-only' })}
        />
      ) : (
        <Loading lines={3} />
      )}
      <div className="actions">
        <Button onClick={onClose}>{t.deploys.cancel}</Button>
      </div>
    </Dialog>
  )
}

function PublishForm({
  project,
  onClose,
}: {
  project: NonNullable<CurrentConfigurationQuery['project']>
  onClose(): void
}) {
  const headOf = (configuration: ConfigurationFragment | undefined) => ({
    title: configuration?.title ?? project.name,
    description: configuration?.description ?? '',
  })
  const [{ fetching, error, data }, deploy] = useMutation(DeployDocument)
  // `from` is the published state that the reader edits. If somebody else has published another state since, the next
  // attempt to publish stops, and `from` becomes that state.
  const [{ from, fields }, setDraft, draftState, latestDraft] = useDraft('deploy', () => {
    const current = headOf(project.currentDeploy?.configuration)
    return { from: current, fields: current }
  })
  const [isReplaced, setIsReplaced] = useState(false)
  const { title, description } = fields
  const change = (changed: Partial<typeof fields>) => setDraft({ from, fields: { ...fields, ...changed } })
  const projectId = useProjectId()
  const announce = useAnnounce()
  const { readLatest, isReading, unread } = useLatestConfiguration()
  const busy = fetching || isReading
  const { beside, elsewhere } = faultsOf(unread ?? error, words)

  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const send = async (dryRun: boolean) => {
    if (busy) return
    const read = await readLatest()
    if (!read) return
    const latest = read.configuration
    const theirs = headOf(latest)
    const isOutdated = JSON.stringify(theirs) !== JSON.stringify(from)
    setIsReplaced(isOutdated)
    if (isOutdated) {
      const mine = latestDraft().fields
      return setDraft({
        from: theirs,
        fields: {
          title: mine.title === from.title ? theirs.title : mine.title,
          description: mine.description === from.description ? theirs.description : mine.description,
        },
      })
    }
    const redirects = latest?.domains.redirects.map(({ from, to, status }) => ({ from, to, status })) ?? []
    const input = {
      projectId,
      dryRun,
      title,
      description: description || null,
      domains: {
        primary: latest?.domains.primary ?? null,
        redirects,
        httpsRedirectStatus: latest?.domains.httpsRedirectStatus ?? null,
      },
    }
    const { data: answer } = await deploy({ input }, { additionalTypenames: ['Deploy', 'Project', 'Domain'] })
    const made = answer?.deployCreate.deploy
    if (made?.state !== 'succeeded' || dryRun) return
    announce(t.deploys.idIsInService(deployName(made.id)), made.id)
    cancel()
  }
  const judged = data?.deployCreate.deploy
  // Finds the faults of one field in the deploy's log.
  const ofField = (field: keyof typeof words) =>
    judged?.log.some(({ message }) => message.startsWith(`${field} must`)) ? words[field] : beside[field]
  const lines = judged?.log.filter(({ message }) => !/^(title|description) must/.test(message)) ?? []
  return (
    <Dialog title={t.deploys.publish} onClose={onClose} onSubmit={() => send(false)}>
      <p className="soft">{t.deploys.titleAndDescriptionHeadReference}</p>
      <Restored {...draftState} />
      <Field
        label={t.deploys.title}
        autoFocus
        value={title}
        onChange={event => change({ title: event.target.value })}
        error={ofField('title')}
      />
      <Field
        label={t.deploys.description}
        value={description}
        onChange={event => change({ description: event.target.value })}
        error={ofField('description')}
      />
      {isReplaced && (
        <Notice tone="wait" title={t.deploys.someoneElsePublished} alert>
          <p>{t.deploys.fieldsThatYouHaveNot}</p>
        </Notice>
      )}
      {elsewhere && <Failed error={elsewhere} what={t.deploys.deployWasRefused} />}
      {judged && !error && !unread && !isReplaced && (
        <Notice
          tone={judged.state === 'failed' ? 'bad' : 'good'}
          title={judged.state === 'failed' ? t.deploys.itFailedAndChangedNothing : t.deploys.noProblemsFound}
          alert
        >
          <DeployLog lines={lines} />
        </Notice>
      )}
      <div className="actions">
        <Button onClick={cancel}>{t.deploys.cancel}</Button>
        <Button onClick={() => send(true)} busy={busy}>
          {t.deploys.checkOnly}
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          {t.deploys.publish}
        </Button>
      </div>
    </Dialog>
  )
}
