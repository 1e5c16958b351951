import { number, utcLongDate } from '../../texts/format.ts'
import { t } from '../../texts/index.ts'
import { part } from '../../ui/part.tsx'
import type { News } from './near.ts'

// Load the code on demand: the first page load must stay small, and few projects have such calls.
const CallsByKey = part(() => import('./calls-by-key.tsx'))

/** Lists deprecated operations and the keys that still call them. */
export function DeprecatedCalls({ news }: { news: News }) {
  const { nodes: keys, pageInfo } = news.apiKeys
  const calls = keys.flatMap(key => key.deprecatedUse.map(use => ({ key, ...use })))
  return (
    <section className="card flush" aria-labelledby="deprecated-title">
      <div className="card-head">
        <h2 id="deprecated-title">{t.overview.deprecatedApiCalls}</h2>
        <p className="small soft">
          {t.overview.getPetIsRemoved(<span className="mono">getPet</span>, utcLongDate('2030-12-05'))}
        </p>
      </div>
      {calls.length === 0 ? (
        <p className="card-body soft">{t.overview.noDeprecatedApiCalls}</p>
      ) : (
        <CallsByKey calls={calls} />
      )}
      {pageInfo.hasNextPage && (
        <p className="card-body small soft">{t.overview.onlyKeysUsedLastAreChecked(number(keys.length))}</p>
      )}
    </section>
  )
}
