import { useEffect, useState, useSyncExternalStore } from 'react'
import { now } from '../app/clock.ts'

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

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

export const dateAndTime = (moment: string) => full.format(new Date(moment))
export const date = (moment: string) => day.format(new Date(moment))

/** "3 hours ago", with the exact time as a tooltip. A time slightly in the future reads as now. */
export function Ago({ at }: { at: string }) {
  const seconds = Math.min(0, Math.round((Date.parse(at) - useNow()) / 1000))
  return (
    <time dateTime={at} title={dateAndTime(at)}>
      {seconds > -45 ? 'just now' : inWords(seconds)}
    </time>
  )
}

function inWords(seconds: number): string {
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? units[3]
  return relative.format(Math.round(seconds / size), unit)
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
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
  if (seconds < 172_800)
    return `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')} min`
  return `${Math.floor(seconds / 86_400)} days`
}
