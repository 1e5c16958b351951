import { number, partsOf, withOneDecimal } from '../../../texts/format.ts'
import { t } from '../../../texts/pages.ts'
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
    <section className="looked-at" aria-label={t.pets.file} aria-live="polite">
      <p className="break">
        <strong>{fileName}</strong>{' '}
        <span className="soft">
          {t.pets.fileInWords(
            partsOf([
              formats[format],
              sizeInWords(size),
              t.pets.count(pets),
              ...(imported > 0 ? [t.pets.ofThemImported(number(imported))] : []),
            ]),
          )}{' '}
          {t.pets.importCosts(costOf(look, done, limits))}
        </span>
      </p>
      <table className="fixed">
        <caption className="small soft">
          {pets > first.length ? t.pets.firstOfFile(number(first.length)) : t.pets.petsOfFile}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t.pets.name}</th>
            <th scope="col">{t.pets.category}</th>
            <th scope="col">{t.pets.status}</th>
          </tr>
        </thead>
        <tbody>
          {first.map((row, index) => (
            <tr key={index}>
              <th scope="row" className="break">
                {row.name || <span className="soft">{t.pets.empty}</span>}
              </th>
              <td className="break">{row.categoryId || <span className="soft">{t.pets.empty}</span>}</td>
              <td className="break">{row.status || <span className="soft">{t.pets.notSet}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Returns the number of pets in the first parts. */
export const countPets = ({ parts }: Look, most: number) =>
  parts.slice(0, most).reduce((sum, { records }) => sum + records, 0)

/**
 * Returns the cost of the parts that are left. Each part costs one request per hundred pets or per 128 KiB, whichever
 * is more, but at most the plan's limit.
 */
function costOf({ parts }: Look, done: number, limits: Props['limits']): number {
  const { requestsPerMinute = Infinity, requestsPerDay = Infinity } = limits ?? {}
  const costs = parts
    .slice(done)
    .map(({ records, bytes }) => Math.ceil(Math.max(records / 100, bytes.length / (128 * 1024))))
    .map(cost => Math.min(cost, requestsPerMinute, requestsPerDay))
  return costs.reduce((sum, cost) => sum + cost, 0)
}

const sizeInWords = (bytes: number) =>
  bytes < 1000
    ? t.pets.bytes(bytes)
    : bytes < 1_000_000
      ? t.pets.kilobytes(number(Math.round(bytes / 1000)))
      : t.pets.megabytes(withOneDecimal(bytes / 1_000_000))
