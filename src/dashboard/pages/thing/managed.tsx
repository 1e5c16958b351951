import { useLiveQuery } from '../../app/live.ts'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import { useSession } from '../../app/session.ts'
import { ActivityDocument } from '../../generated/pages/graphql.ts'
import { partsOf } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { Ago } from '../../ui/time.tsx'
import { actWords } from '../activity/acts.ts'
import { changesOf } from '../activity/entry.ts'
import { useChanges } from './follow-changes.ts'

const none = { after: null, actor: null, types: null, since: null, until: null }
/** Query the entries again after each change of a thing that has them. */
const context = { additionalTypenames: ['ApiKey', 'Deploy', 'Domain', 'Webhook'] }
/** An operator has no stream of events, so query periodically. */
const operatorEveryMs = 10_000

/** The newest audit entries of a key, a domain, a deploy or an endpoint. Each entry names its actor. */
export function Managed({ subject }: { subject: string }) {
  const slug = useProjectSlug() ?? null
  const variables = { slug, first: 10, subject, ...none }
  const { operator } = useSession()
  const [{ data }] = useLiveQuery({ query: ActivityDocument, variables, context }, () =>
    operator ? operatorEveryMs : null,
  )
  useChanges('project_read', `kind=management&subject=${encodeURIComponent(subject)}`)
  const entries = data?.auditLog.nodes ?? []
  // On an error show nothing: the page is complete without the history.
  if (entries.length === 0) return null
  return (
    <section className="card stack-tight" aria-labelledby="history-title">
      <h2 id="history-title">{t.thing.history}</h2>
      <ol className="history">
        {entries.map(entry => {
          const fields = changesOf(entry).map(({ field, before, after }) =>
            t.thing.change(field, before, after),
          )
          return (
            <li key={entry.id}>
              <span className="soft small">
                <Ago at={entry.at} />
              </span>
              <span className="break">
                {t.thing.whoDidWhat(entry.actor.name, actWords(entry.type))}
                {fields.length > 0 && ` (${partsOf(fields)})`}
              </span>
            </li>
          )
        })}
      </ol>
      <p className="small">
        <Link to={{ page: 'settings/activity', project: slug, query: { subject } }}>
          {t.thing.allItsActivity}
        </Link>
      </p>
    </section>
  )
}
