import { number } from '../../ui/meter.tsx'
import { Ago } from '../../ui/time.tsx'
import type { News } from './near-limits.tsx'

/** Lists deprecated operations and the keys that still call them. */
export function DeprecatedCalls({ news }: { news: News }) {
  const calls = news.apiKeys.nodes.flatMap(key => key.deprecatedUse.map(use => ({ key, ...use })))
  return (
    <section className="card flush" aria-labelledby="deprecated-title">
      <div className="card-head">
        <h2 id="deprecated-title">Deprecated API calls</h2>
        <p className="small soft">
          <span className="mono">getPet</span> is removed on 5 December 2030. List pets with the status filter
          instead.
        </p>
      </div>
      {calls.length === 0 ? (
        <p className="card-body soft">No deprecated API calls.</p>
      ) : (
        <section className="table-frame" aria-label="Deprecated API calls by key" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">API key</th>
                <th scope="col" className="wide">
                  Operation
                </th>
                <th scope="col" className="num">
                  Calls
                </th>
                <th scope="col">Last</th>
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
