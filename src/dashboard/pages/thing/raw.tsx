import { useEffect, useState } from 'react'
import { useProject } from '../../app/project.ts'
import { askRest } from '../../app/rest.ts'
import { nodeIdOf, type Page } from '../../app/router.tsx'
import { useSession } from '../../app/session.ts'
import { t } from '../../texts/pages.ts'
import { CodeLine, CopyButton } from '../../ui/copy.tsx'

const restPaths: Partial<Record<Page, string>> = {
  pets: '/v1/pets/',
  orders: '/v1/store/orders/',
  'settings/webhooks': '/v1/webhooks/',
}

/** Shows the thing as the API returns it, and the command that requests it. */
export function Raw({ page, id, thing }: { page: Page; id: string; thing: object }) {
  const { key, keyPrefix } = useSession()
  const { project } = useProject()
  const [isOpen, setIsOpen] = useState(false)
  const [answer, setAnswer] = useState<string | null>(null)
  const path = restPaths[page]
  const shownThing = JSON.stringify(thing, null, 2)
  const text = path ? answer : shownThing
  const origin = project?.baseUrl.replace(/\/v1$/, '') ?? location.origin
  useEffect(() => {
    if (!path || !isOpen) return
    let isLatest = true
    const show = (found: string) => isLatest && setAnswer(found)
    void askRest(key, path + encodeURIComponent(id), {})
      // The text keeps numbers beyond 2^53, which parsed JSON would round.
      .then(found => found.text())
      .then(show, error => show(String(error.message)))
    return () => {
      isLatest = false
    }
  }, [path, id, isOpen, shownThing])
  const curl = (secret: string) =>
    path
      ? `curl -H 'Authorization: Bearer ${secret}' '${origin}${path}${encodeURIComponent(id)}'`
      : `curl -H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/json' -d '{"query":"{ node(id: \\"${nodeIdOf(page, id)}\\") { id __typename } }"}' '${origin}/graphql'`
  const shown = `${keyPrefix ?? 'as_'}…`
  // A copied command cannot use the token of a signed-in person, because the token lasts only ten minutes. For such a
  // person, the command contains a placeholder, and the reader puts an API key in its place.
  const secret = typeof key === 'string' ? key : shown
  return (
    <section className="card stack-tight" aria-labelledby="api-title">
      <div>
        <h2 id="api-title">{t.thing.byApi}</h2>
        <p className="small soft">
          {secret === shown ? t.thing.putApiKeyInPlace : t.thing.yourKeyIsFilledIn}
        </p>
      </div>
      <CodeLine shown={curl(shown)} copied={curl(secret)} what={t.thing.asCurl} />
      <details onToggle={event => setIsOpen(event.currentTarget.open)}>
        <summary>JSON</summary>
        {text !== null && (
          <div className="code">
            <pre>
              <code>{text}</code>
            </pre>
            <CopyButton text={text} what={t.thing.jsonInSentence} />
          </div>
        )}
      </details>
    </section>
  )
}
