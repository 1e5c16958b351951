import { useEffect, useState, useSyncExternalStore } from 'react'
import { now } from '../app/clock.ts'
import { dateAndTime, fromNow, number, twoDigits } from '../texts/format.ts'
import { t } from '../texts/index.ts'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const notify of listeners) notify()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Returns the time of the store's clock. All components share one timer. */
export const useNow = () => useSyncExternalStore(subscribe, () => Math.floor(now() / 1000) * 1000)

/** Calls `act` once after `moment`. */
export function useWhenPassed(moment: string | null | undefined, act: () => void) {
  const [done, setDone] = useState<string | null>(null)
  const time = useNow()
  useEffect(() => {
    if (!moment || done === moment || time < Date.parse(moment)) return
    setDone(moment)
    act()
  })
}

/** "3 hours ago", with the exact time as a tooltip and on paper. A time slightly in the future reads as now. */
export function Ago({ at }: { at: string }) {
  const seconds = Math.min(0, Math.round((Date.parse(at) - useNow()) / 1000))
  return (
    <time className="ago" dateTime={at} title={dateAndTime(at)}>
      {seconds > -45 ? t.ui.justNow : fromNow(seconds)}
    </time>
  )
}

/** Counts down to `at`. */
export function Until({ at }: { at: string }) {
  const seconds = Math.max(0, Math.ceil((Date.parse(at) - useNow()) / 1000))
  return (
    <time dateTime={at} title={dateAndTime(at)}>
      {duration(seconds)}
    </time>
  )
}

export function duration(seconds: number): string {
  if (seconds < 60) return t.ui.seconds(number(seconds))
  if (seconds < 3600) return t.ui.minutes(number(Math.floor(seconds / 60)), twoDigits(seconds % 60))
  if (seconds < 172_800)
    return t.ui.hours(number(Math.floor(seconds / 3600)), twoDigits(Math.floor((seconds % 3600) / 60)))
  return t.ui.days(Math.floor(seconds / 86_400))
}
