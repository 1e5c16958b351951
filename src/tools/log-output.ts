import { writeSync } from 'node:fs'

/** Writes the log from this process. */
export type LogOutput = {
  write(line: string): void
  /** Number of lines dropped so far. */
  linesDropped(): number
  /** Writes the buffered lines, and waits at most this long for a stalled reader. */
  flush(timeoutMs: number): void
}

/**
 * In bytes: lines are written in groups of about this size, because one write per line would cost a good part of the
 * CPU of a request. No line waits longer than `flushEveryMs`.
 */
const enoughBytes = 8192
const flushEveryMs = 200
/**
 * In bytes. With PROCESSES several processes write into one pipe. Linux does not mix writes up to PIPE_BUF with those of
 * others, so each write has whole lines, at most this many bytes.
 */
const mostAtOnce = 4096
/** In milliseconds. Retry soon: a reader that is only slow has room again at once. */
const tryAgainMs = 10
/**
 * In bytes, some thousand lines: the most that is buffered while the log cannot be written. Further lines are dropped,
 * so that a failing log does not fill the memory of the service.
 */
const mostWaiting = 1024 * 1024

/**
 * Writes to the open file descriptor `fd` without waiting. Buffers lines that a full disk or stalled reader does not
 * take; beyond the limit, drops and counts them. Writes in this thread: waking another one would cost more than it
 * saves.
 */
export function openLogOutput(fd: number): LogOutput {
  /** The bytes to write next. If a line was written only in part, they begin with the rest of this line. */
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
        leaving = leaving.subarray(writeSync(fd, wholeLines(leaving)))
      }
    } catch {
      // This error cannot be logged, because this is the log.
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
    flush(timeoutMs) {
      const giveUpAt = performance.now() + timeoutMs
      while (!isWritten() && performance.now() < giveUpAt) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tryAgainMs)
      }
    },
  }
}

/** Returns as many whole lines as one write takes; at least one. */
function wholeLines(text: Buffer): Buffer {
  if (text.length <= mostAtOnce) return text
  const end = text.lastIndexOf('\n', mostAtOnce - 1)
  const longLine = end < 0 ? text.indexOf('\n') : end
  return longLine < 0 ? text : text.subarray(0, longLine + 1)
}
