import { number } from '../../../ui/meter.tsx'
import type { Look } from './look-at-file.ts'

type Props = {
  look: Look
  done: number
  limits: { requestsPerMinute: number; requestsPerDay: number } | undefined
}
const formats = { csv: 'CSV', ndjson: 'NDJSON' }

/** Shows the preview of the file, of which the first `done` parts are imported. */
export function LookedAt({ look, done, limits }: Props) {
  const { fileName, size, format, pets, first } = look
  const imported = countPets(look, done)
  return (
    <section className="looked-at" aria-label="The file" aria-live="polite">
      <p className="break">
        <strong>{fileName}</strong>{' '}
        <span className="soft">
          {formats[format]}, {sizeInWords(size)}, {petsInWords(pets)}
          {imported > 0 && `, ${number(imported)} of them imported`}. {costs(costOf(look, done, limits))}
        </span>
      </p>
      <table className="fixed">
        <caption className="small soft">
          {pets > first.length ? `The first ${first.length} pets of the file` : 'The pets of the file'}
        </caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Category</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {first.map((row, index) => (
            <tr key={index}>
              <th scope="row" className="break">
                {row.name || <span className="soft">empty</span>}
              </th>
              <td className="break">{row.categoryId || <span className="soft">empty</span>}</td>
              <td className="break">{row.status || <span className="soft">not set</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export const petsInWords = (pets: number) => `${number(pets)} ${pets === 1 ? 'pet' : 'pets'}`
const costs = (requests: number) =>
  `Uses ${number(requests)} ${requests === 1 ? 'request' : 'requests'} from your plan.`

/** Returns the number of pets in the first parts. */
export const countPets = ({ parts }: Look, most: number) =>
  parts.slice(0, most).reduce((sum, { records }) => sum + records, 0)

/** Returns the cost of the parts that are left: one request per hundred pets, at most the plan's limit for each. */
function costOf({ parts }: Look, done: number, limits: Props['limits']): number {
  const { requestsPerMinute = Infinity, requestsPerDay = Infinity } = limits ?? {}
  const costs = parts
    .slice(done)
    .map(({ records }) => Math.min(Math.ceil(records / 100), requestsPerMinute, requestsPerDay))
  return costs.reduce((sum, cost) => sum + cost, 0)
}

const sizeInWords = (bytes: number) =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${number(Math.round(bytes / 1000))} KB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
