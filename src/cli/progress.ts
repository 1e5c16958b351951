type Progress = { show(done: number): void; clear(): void }

/** Shows progress on one line of the terminal and removes the line at the end. Without a terminal it prints nothing. */
export function openProgress(asJson: boolean, done: string, total: number | null, things = 'pets'): Progress {
  const isShown = !asJson && process.stderr.isTTY
  const startedAt = performance.now()
  const write = (text: string) => {
    if (isShown) process.stderr.write(`\r${text}\u001b[K`)
  }
  return {
    show: count => write(`${progressLine(count, total, performance.now() - startedAt, things)} ${done} …`),
    clear: () => write(''),
  }
}

const number = (value: number) => Math.round(value).toLocaleString('en')

/** Returns `20,000 of 80,000 pets, 4,000 a second, 15 s left`, without the unknown parts. */
export function progressLine(
  count: number,
  total: number | null,
  elapsedMs: number,
  things = 'pets',
): string {
  const perSecond = count / (elapsedMs / 1000)
  const isPaced = elapsedMs >= 1000 && count > 0
  const seconds = total === null ? 0 : Math.ceil((total - count) / perSecond)
  return [
    `${number(count)}${total === null ? '' : ` of ${number(total)}`} ${things}`,
    ...(isPaced ? [`${number(perSecond)} a second`] : []),
    ...(isPaced && seconds > 0
      ? [`${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`]
      : []),
  ].join(', ')
}
