import type { RestError } from '../../../app/rest.ts'
import { number } from '../../../texts/format.ts'
import { t } from '../../../texts/pages.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Until } from '../../../ui/time.tsx'
import { columnOf, wordsOf } from './fault-words.ts'
import { type NoLook, TooLarge } from './look-at-file.ts'

/** Shows a problem found before anything was sent. */
export function NotTaken({ problem }: { problem: NoLook }) {
  return (
    <Notice tone="bad" title={t.pets.thisFileCannotBeImported} alert>
      <p>{problem.message}</p>
      {problem instanceof TooLarge && (
        <p className="break">
          {t.pets.splitItOrLetCommand(<code>npx animal-store pets import pets.csv</code>)}
        </p>
      )}
    </Notice>
  )
}

type Failed = {
  problem: RestError
  fileName: string
  /** The number of pets imported before the failure. */
  imported: number
}

export function ImportFailed({ problem, fileName, imported }: Failed) {
  const { code, message, details, retryAt } = problem
  if (details.length > 0) return <FaultyLines problem={problem} fileName={fileName} imported={imported} />
  const isOffline = code === 'offline'
  const isLimited = code === 'rate_limited' || code === 'key_banned'
  return (
    <Notice tone={isOffline || code === stopped ? 'wait' : 'bad'} title={titleOf(problem)} alert>
      {isLimited ? <p>{t.pets.yourRequestsAreUsedUp}</p> : <p>{message}</p>}
      {imported > 0 && <p>{t.pets.importedTryingAgain(t.pets.count(imported))}</p>}
      {(isOffline || code === stopped) && <p>{t.pets.ifTheyWereImportedAll}</p>}
      {retryAt && (
        // Without `aria-live="off"` a screen reader would read the countdown every second.
        <p aria-live="off">{t.pets.tryAgainInLeft(<Until at={retryAt} />)}</p>
      )}
    </Notice>
  )
}

/** The error code of an import that the user stopped. */
export const stopped = 'stopped'

function titleOf({ code }: RestError): string {
  if (code === stopped) return t.pets.stopped
  if (code === 'offline') return t.pets.noAnswer
  return code === 'rate_limited' || code === 'key_banned' ? t.pets.tooManyRequests : t.pets.petsAreNotImported
}

function FaultyLines({ problem: { details, message }, fileName, imported }: Failed) {
  const lines = new Set(details.map(({ line }) => line)).size
  const isMore = message.startsWith('More than')
  return (
    <>
      <Notice
        tone="bad"
        title={imported > 0 ? t.pets.importedOthersNot(t.pets.count(imported)) : t.pets.noPetIsImported}
        alert
      >
        <p className="break">
          {(isMore ? t.pets.moreLinesToCorrect : t.pets.linesToCorrect)(lines, fileName)}
          {imported > 0 && ` ${t.pets.importThenGoesOn}`}
        </p>
      </Notice>
      <section className="fault-lines" aria-label={t.pets.whatIsWrongByLine} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="num">
                {t.pets.line}
              </th>
              <th scope="col">{t.pets.column}</th>
              <th scope="col">{t.pets.whatToDo}</th>
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
