import { number } from '../../../ui/meter.tsx'
import type { Look } from './look-at-file.ts'

type Props = { look: Look; limits: { requestsPerMinute: number; requestsPerDay: number } | undefined }
const formats = { csv: 'CSV', ndjson: 'NDJSON' }

/** Shows the preview of the file. */
export function LookedAt({ look, limits }: Props) {
  const { fileName, size, format, pets, first } = look
  return (
    <section className="looked-at" aria-label="The file" aria-live="polite">
      <p className="break">
        <strong>{fileName}</strong>{' '}
        <span className="soft">
          {formats[format]}, {sizeInWords(size)}, {petsInWords(pets)}. {costs(costOf(pets, limits))}
        </span>
      </p>
      <table className="fixed">
        <caption className="small soft">
          {pets > first.length ? `The first ${first.length} of them` : 'What it holds'}
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

/** Returns the cost: one request per hundred pets, rounded up, at most the plan's limit. */
function costOf(pets: number, limits: Props['limits']): number {
  const { requestsPerMinute = Infinity, requestsPerDay = Infinity } = limits ?? {}
  return Math.min(Math.ceil(pets / 100), requestsPerMinute, requestsPerDay)
}

const sizeInWords = (bytes: number) =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${number(Math.round(bytes / 1000))} KB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
