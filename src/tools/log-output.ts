import { writeSync } from 'node:fs'

/** Where lines of the log leave the process. */
export type LogOutput = {
  write(line: string): void
  /** How many lines the bound has cost so far. */
  linesDropped(): number
  /** The last try: for so long it waits for a reader. */
  flush(patienceMs: number): void
}

/** Lines leave some together: to pass each on by itself costs a good part of a request. None waits longer than a moment. */
const enoughBytes = 8192
const flushEveryMs = 200
/** While nothing can be written the next try comes soon, since a reader that is merely slow has room again at once. */
const tryAgainMs = 10
/** Of what cannot be written so much waits, some thousand lines; the service must outlive its log. */
const mostWaiting = 1024 * 1024

/**
 * Writes to what is open as `fd` and waits for nobody: what a full disk, a reader that stalls or one that has gone does
 * not take stays here, and what comes once there is too much of it is dropped and counted. This thread writes, since to
 * wake up another one costs more than it spares.
 */
export function openLogOutput(fd: number): LogOutput {
  /** Begins with what is left of a line that was written in part. */
  let leaving = Buffer.alloc(0)
  let waiting = ''
  let dropped = 0
  let again: NodeJS.Timeout | null = null
  setInterval(() => again ?? writeAll(), flushEveryMs).unref()

  function writeAll(): void {
    if (isWritten() || again) return
    again = setInterval(() => {
      if (!isWritten() || !again) return
      clearInterval(again)
      again = null
    }, tryAgainMs).unref()
  }

  function isWritten(): boolean {
    try {
      for (;;) {
        if (leaving.length === 0) {
          if (waiting === '') return true
          leaving = Buffer.from(waiting)
          waiting = ''
        }
        leaving = leaving.subarray(writeSync(fd, leaving))
      }
    } catch {
      // Whatever it is: there is no other place to tell it.
      return false
    }
  }

  return {
    write(line) {
      if (leaving.length + waiting.length + line.length > mostWaiting) return void dropped++
      waiting += line
      if (waiting.length >= enoughBytes && !again) writeAll()
    },
    linesDropped: () => dropped,
    flush(patienceMs) {
      const giveUpAt = performance.now() + patienceMs
      while (!isWritten() && performance.now() < giveUpAt) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tryAgainMs)
      }
    },
  }
}
