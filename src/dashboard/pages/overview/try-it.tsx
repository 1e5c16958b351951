import { useSession } from '../../app/session.ts'
import { t } from '../../texts/index.ts'
import { CodeLine } from '../../ui/copy.tsx'

/** Commands that work when they are copied: the shown text hides the key, but the copied text contains it. */
export function TryIt({ baseUrl }: { baseUrl: string }) {
  const session = useSession()
  const { keyPrefix } = session
  const shown = `${keyPrefix ?? 'as_'}…`
  // A copied command cannot use the token of a signed-in person, because the token lasts only ten minutes. For such a
  // person, the command contains a placeholder, and the reader puts an API key in its place.
  const key = typeof session.key === 'string' ? session.key : shown
  const rest = (secret: string) => `curl -H 'Authorization: Bearer ${secret}' '${baseUrl}/pets?limit=3'`
  const graphqlUrl = baseUrl.replace(/\/v1$/, '/graphql')
  const graphql = (secret: string) =>
    `curl -H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/json' -d '{"query":"{ pets(first: 3) { nodes { id name status } } }"}' '${graphqlUrl}'`
  return (
    <section className="card stack" aria-labelledby="try-title">
      <div>
        <h2 id="try-title">{t.overview.quickStart}</h2>
        <p className="small soft">
          {key === shown ? t.overview.putApiKeyInPlace : t.overview.yourKeyIsFilledIn}
        </p>
      </div>
      <div className="stack-tight">
        <h3>REST</h3>
        <CodeLine shown={rest(shown)} copied={rest(key)} what={t.overview.restLine} />
      </div>
      <div className="stack-tight">
        <h3>GraphQL</h3>
        <CodeLine shown={graphql(shown)} copied={graphql(key)} what={t.overview.graphQLLine} />
      </div>
    </section>
  )
}
