import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { CombinedError } from 'urql'
import { now } from '../app/clock.ts'
import { problemOf } from '../app/problem.ts'
import { useRouter } from '../app/router.tsx'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'
import { firstPage } from './filter.tsx'
import { PetsIcon, RefreshIcon } from './icons.tsx'
import { Notice } from './notice.tsx'
import { Until, useNow } from './time.tsx'

/** Grey lines while content loads; a text if it takes long. */
export function Loading({ lines = 4 }: { lines?: number }) {
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 4000)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="card skeleton" role="status">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} style={{ width: `${90 - ((line * 23) % 50)}%` }} />
      ))}
      <p className={long ? 'soft' : 'sr'}>{long ? t.ui.stillLoadingConnectionIsSlow : t.ui.loading}</p>
    </div>
  )
}

const titles: Record<string, string> = {
  offline: t.ui.noConnection,
  insufficient_scope: t.ui.youDontHaveAccess,
  project_suspended: t.ui.thisProjectIsSuspended,
  rate_limited: t.ui.tooManyRequests,
  key_banned: t.ui.thisKeyIsBannedFor,
  unavailable: t.ui.storeIsNotAvailable,
}

/** An error in place of content that could not be loaded, or of an action that failed. */
export function Failed({ error, retry, what }: { error: CombinedError; retry?: () => void; what: string }) {
  const { code, message, retryAfterSeconds } = problemOf(error)
  const { query, ask } = useRouter()
  const isLost = code === 'invalid_input' && query.has('after')
  return (
    <Notice tone={code === 'offline' ? 'wait' : 'bad'} title={titles[code] ?? what} alert>
      <p>{isLost ? t.ui.addressNamesPageThatThis : message}</p>
      {retryAfterSeconds !== undefined && <Countdown error={error} seconds={retryAfterSeconds} />}
      {isLost ? (
        <div>
          <Button onClick={() => ask(firstPage)}>{t.ui.toFirstPage}</Button>
        </div>
      ) : (
        retry && (
          <div>
            <Button onClick={retry}>
              <RefreshIcon /> {t.ui.tryAgain}
            </Button>
          </div>
        )
      )}
    </Notice>
  )
}

/** Counts down to the next attempt from the moment of the error. */
function Countdown({ error, seconds }: { error: CombinedError; seconds: number }) {
  const at = useMemo(() => new Date((Math.floor(now() / 1000) + seconds) * 1000).toISOString(), [error])
  const isOver = useNow() >= Date.parse(at)
  return <p>{isOver ? t.ui.youCanTryAgainNow : t.ui.youCanTryAgainIn(<Until at={at} />)}</p>
}

/** An error beside older content. Shows nothing if the store is unreachable, since a banner says so already. */
export function Outdated({ error, retry }: { error: CombinedError | undefined; retry?: () => void }) {
  if (!error) return null
  const { code, message } = problemOf(error)
  if (code === 'offline') return null
  return (
    <Notice tone="wait" alert>
      <div className="row spread">
        <p>{t.ui.whatIsShownMayBe(message)}</p>
        {retry && <Button onClick={retry}>{t.ui.tryAgain}</Button>}
      </div>
    </Notice>
  )
}

export function Empty({ title, children, icon }: { title: string; children?: ReactNode; icon?: ReactNode }) {
  return (
    <div className="empty">
      {icon ?? <PetsIcon size={36} />}
      <h2>{title}</h2>
      {children}
    </div>
  )
}
