import { number } from '../texts/format.ts'
import { t } from '../texts/pages.ts'
import { type Counts, outcomes } from './spans.ts'

type Line = Counts & { id: string; name: string }
type Lines = { head: string; label: string; lines: Line[] }

export default function UsageTables({ tables }: { tables: Lines[] }) {
  return tables.map(table => <UsageTable key={table.head} {...table} />)
}

function UsageTable({ head, label, lines }: Lines) {
  return (
    <section className="table-frame" aria-label={label} tabIndex={0}>
      <table className="counts">
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {outcomes.map(({ name }) => (
              <th key={name} scope="col" className="num capital">
                {t.usage.outcomes[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(line => (
            <tr key={line.id}>
              <th scope="row">{line.name}</th>
              {outcomes.map(({ name, of }) => (
                <td key={name} className="num">
                  {number(of(line))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
