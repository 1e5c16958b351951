const number = (value: number) => value.toLocaleString('en')

/**
 * Returns `20,000 of 80,000 pets, 4,000 a second, 15 s left`, without the unknown parts. The first `before` pets were
 * done before the clock started.
 */
export function progressOf(pets: number, total: number | null, elapsedMs: number, before = 0): string {
  const perSecond = (pets - before) / (elapsedMs / 1000)
  const isPaced = elapsedMs >= 1000 && pets > before
  const seconds = total === null ? 0 : Math.ceil((total - pets) / perSecond)
  const left = seconds < 120 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`
  return [
    `${number(pets)}${total === null ? '' : ` of ${number(total)}`} pets`,
    ...(isPaced ? [`${number(Math.round(perSecond))} a second`] : []),
    ...(isPaced && seconds > 0 ? [left] : []),
  ].join(', ')
}
