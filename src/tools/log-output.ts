import { writeSync } from 'node:fs'

/** The end of the log inside the process. */
export type LogOutput = {
  write(line: string): void
  /** Number of lines dropped so far. */
  linesDropped(): number
  /** Tries a last time and waits this long for a reader. */
  flush(patienceMs: number): void
}

/** Writes lines in groups, because writing each costs a good part of a request. No line waits longer than a moment. */
const enoughBytes = 8192
const flushEveryMs = 200
/** Retry soon: a reader that is only slow has room again at once. */
const tryAgainMs = 10
/** Buffer for some thousand unwritten lines. The service must outlive its log. */
const mostWaiting = 1024 * 1024

/**
 * Writes to the open file descriptor `fd` without waiting. Lines that a full disk or a stalled reader does not take are
 * buffered; beyond the bound they are dropped and counted. This thread writes: waking another one would cost more than
 * it saves.
 */
export function openLogOutput(fd: number): LogOutput {
  /** Begins with the rest of a line that was written in part. */
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
      // No error can be logged here, because this is the log.
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
