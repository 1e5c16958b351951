import { number, partsOf } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'

/**
 * Returns `20,000 of 80,000 pets, 4,000 a second, 15 s left`, without the unknown parts. The first `before` pets were
 * done before the clock started.
 */
export function progressOf(pets: number, total: number | null, elapsedMs: number, before = 0): string {
  const perSecond = (pets - before) / (elapsedMs / 1000)
  const isPaced = elapsedMs >= 1000 && pets > before
  const seconds = total === null ? 0 : Math.ceil((total - pets) / perSecond)
  const left =
    seconds < 120 ? t.pets.secondsLeft(number(seconds)) : t.pets.minutesLeft(number(Math.ceil(seconds / 60)))
  return partsOf([
    total === null ? t.pets.count(pets) : t.pets.countOf(number(pets), total),
    ...(isPaced ? [t.pets.perSecond(number(Math.round(perSecond)))] : []),
    ...(isPaced && seconds > 0 ? [left] : []),
  ])
}
