import type { RestError } from '../../../app/rest.ts'
import { number } from '../../../ui/meter.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Until } from '../../../ui/time.tsx'
import { columnOf, wordsOf } from './fault-words.ts'
import { type NoLook, TooLarge } from './look-at-file.ts'
import { petsInWords } from './looked-at.tsx'

/** Shows a problem found before anything was sent. */
export function NotTaken({ problem }: { problem: NoLook }) {
  return (
    <Notice tone="bad" title="This file cannot be imported" alert>
      <p>{problem.message}</p>
      {problem instanceof TooLarge && (
        <p className="break">
          Split it, or let the command line do that: <code>npx animal-store pets import pets.csv</code>
        </p>
      )}
    </Notice>
  )
}

type Failed = {
  problem: RestError
  fileName: string /** Pets that were imported before. */
  imported: number
}

export function ImportFailed({ problem, fileName, imported }: Failed) {
  const { code, message, details, retryAt } = problem
  if (details.length > 0) return <FaultyLines problem={problem} fileName={fileName} imported={imported} />
  const isOffline = code === 'offline'
  const isLimited = code === 'rate_limited' || code === 'key_banned'
  return (
    <Notice tone={isOffline || code === stopped ? 'wait' : 'bad'} title={titleOf(problem)} alert>
      {isLimited ? <p>The plan's requests are used up for now.</p> : <p>{message}</p>}
      {imported > 0 && <p>{petsInWords(imported)} imported. Trying again goes on with the others.</p>}
      {(isOffline || code === stopped) && (
        <p>If they were imported all the same, trying again adds none twice.</p>
      )}
      {retryAt && (
        // Without `aria-live="off"` a screen reader would read the countdown every second.
        <p aria-live="off">
          Try again in <Until at={retryAt} />.
        </p>
      )}
    </Notice>
  )
}

/** The code of an import that its user stopped. */
export const stopped = 'stopped'

function titleOf({ code }: RestError): string {
  if (code === stopped) return 'Stopped'
  if (code === 'offline') return 'No answer'
  return code === 'rate_limited' || code === 'key_banned' ? 'Too many requests' : 'The pets are not imported'
}

function FaultyLines({ problem: { details, message }, fileName, imported }: Failed) {
  const lines = new Set(details.map(({ line }) => line)).size
  const isMore = message.startsWith('More than')
  const count = `${isMore ? 'More than ' : ''}${number(lines)} ${lines === 1 ? 'line has' : 'lines have'}`
  return (
    <>
      <Notice
        tone="bad"
        title={imported > 0 ? `${petsInWords(imported)} imported, the others not` : 'No pet is imported'}
        alert
      >
        <p className="break">
          {count} to be mended in {fileName}. Mend {isMore ? 'these first' : 'what is below'}, then choose the
          file again.
          {imported > 0 && ' The import then goes on after the imported ones.'}
        </p>
      </Notice>
      <section className="fault-lines" aria-label="What is wrong, by line" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="num">
                Line
              </th>
              <th scope="col">Column</th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            {details.map(fault => (
              <tr key={`${fault.line} ${fault.field}`}>
                <th scope="row" className="num">
                  {number(fault.line)}
                </th>
                <td>{columnOf(fault)}</td>
                <td className="break">{wordsOf(fault)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
