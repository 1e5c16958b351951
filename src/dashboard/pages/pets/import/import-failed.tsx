import type { RestError } from '../../../app/rest.ts'
import { number } from '../../../ui/meter.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Until } from '../../../ui/time.tsx'
import { columnOf, wordsOf } from './fault-words.ts'
import { type NoLook, TooLarge } from './look-at-file.ts'

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

export function ImportFailed({ problem, fileName }: { problem: RestError; fileName: string }) {
  const { code, message, details, retryAt } = problem
  if (details.length > 0) return <FaultyLines problem={problem} fileName={fileName} />
  const isOffline = code === 'offline'
  const isLimited = code === 'rate_limited' || code === 'key_banned'
  return (
    <Notice
      tone={isOffline ? 'wait' : 'bad'}
      title={isOffline ? 'No answer' : isLimited ? 'Too many requests' : 'The pets are not imported'}
      alert
    >
      {isLimited ? <p>The plan's requests are used up for now.</p> : <p>{message}</p>}
      {isOffline && <p>If they were imported all the same, trying again adds none twice.</p>}
      {retryAt && (
        // Without `aria-live="off"` a screen reader would read the countdown every second.
        <p aria-live="off">
          Try again in <Until at={retryAt} />.
        </p>
      )}
    </Notice>
  )
}

function FaultyLines({ problem: { details, message }, fileName }: { problem: RestError; fileName: string }) {
  const lines = new Set(details.map(({ line }) => line)).size
  const isMore = message.startsWith('More than')
  const count = `${isMore ? 'More than ' : ''}${number(lines)} ${lines === 1 ? 'line has' : 'lines have'}`
  return (
    <>
      <Notice tone="bad" title="No pet is imported" alert>
        <p className="break">
          {count} to be mended in {fileName}. Mend {isMore ? 'these first' : 'what is below'}, then choose the
          file again.
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
