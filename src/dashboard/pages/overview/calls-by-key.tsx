import { number } from '../../texts/format.ts'
import { t } from '../../texts/index.ts'
import { Ago } from '../../ui/time.tsx'
import type { News } from './near.ts'

type Key = News['apiKeys']['nodes'][number]
type Call = { key: Key } & Key['deprecatedUse'][number]

/** Lists the calls of deprecated operations by key. */
export default function CallsByKey({ calls }: { calls: readonly Call[] }) {
  return (
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
  )
}
