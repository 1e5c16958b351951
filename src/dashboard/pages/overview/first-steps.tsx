import { useState } from 'react'
import { Link, type Page } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import type { AttentionQuery } from '../../generated/graphql.ts'
import { t } from '../../texts/index.ts'
import { Button } from '../../ui/button.tsx'
import { GoodIcon, StepIcon } from '../../ui/icons.tsx'
import { useAttention } from './use-attention.ts'

type Step = { title: string; page: Page; act: string; isDone: boolean }

const place = 'animal-store.first-steps.'

/**
 * The first steps of a new project. A step is ticked automatically when it is done. The list disappears when all steps
 * are done, or when the reader hides it.
 */
export function FirstSteps({ hasPets }: { hasPets: boolean }) {
  const [{ data }] = useAttention()
  const mayAct = useMissing('project_write') === null
  const [, setHidden] = useState(false)
  if (!data || !mayAct || localStorage.getItem(place + data.project.slug)) return null
  const steps = stepsOf(hasPets, data)
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  const hide = () => {
    localStorage.setItem(place + data.project.slug, 'hidden')
    setHidden(true)
  }
  return (
    <section className="card stack" aria-labelledby="steps-title">
      <div className="row spread">
        <h2 id="steps-title">{t.overview.firstSteps}</h2>
        <span className="row">
          <span className="soft small">{t.overview.doneOfCountDone(done, steps.length)}</span>
          <Button kind="quiet" onClick={hide} aria-label={t.overview.hideFirstSteps}>
            {t.overview.hide}
          </Button>
        </span>
      </div>
      <ul className="stack-tight checklist">
        {steps.map(({ title, page, act, isDone }) => (
          <li key={title} className={isDone ? 'met' : ''}>
            {isDone ? <GoodIcon /> : <StepIcon />}
            <p>
              {isDone ? title : <Link to={{ page, project: null, query: { do: act } }}>{title}</Link>}
              <span className="sr"> {isDone ? t.overview.isDone : t.overview.isToDo}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function stepsOf(hasPets: boolean, { project, webhooks }: AttentionQuery): Step[] {
  const step = (title: string, page: Page, isDone: boolean): Step => ({ title, page, act: 'add', isDone })
  return [
    step(t.overview.addPet, 'pets', hasPets),
    step(t.overview.issueApiKey, 'keys', (project?.apiKeys.nodes.length ?? 0) > 0),
    step(t.overview.publishProject, 'deploys', project?.currentDeploy != null),
    step(t.overview.addDomain, 'settings/domains', (project?.domains.nodes.length ?? 0) > 0),
    ...(webhooks
      ? [step(t.overview.sendEventsToWebhookEndpoint, 'settings/webhooks', webhooks.nodes.length > 0)]
      : []),
  ]
}
