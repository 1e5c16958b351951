import { number, utcLongDate } from '../../texts/format.ts'
import { t } from '../../texts/index.ts'
import { Ago } from '../../ui/time.tsx'
import type { News } from './near-limits.tsx'

/** Lists deprecated operations and the keys that still call them. */
export function DeprecatedCalls({ news }: { news: News }) {
  const calls = news.apiKeys.nodes.flatMap(key => key.deprecatedUse.map(use => ({ key, ...use })))
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
        <section className="table-frame" aria-label={t.overview.deprecatedApiCallsByKey} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.overview.apiKey}</th>
                <th scope="col" className="wide">
                  {t.overview.operation}
                </th>
                <th scope="col" className="num">
                  {t.overview.calls}
                </th>
                <th scope="col">{t.overview.last}</th>
              </tr>
            </thead>
            <tbody>
              {calls.map(({ key, field, count, lastUsedAt }) => (
                <tr key={`${key.id} ${field}`}>
                  <th scope="row">
                    {key.name}
                    <span className="mono soft under">{key.prefix}…</span>
                    <span className="mono small under narrow">{field}</span>
                  </th>
                  <td className="mono wide">{field}</td>
                  <td className="num">{number(count)}</td>
                  <td>
                    <Ago at={lastUsedAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
