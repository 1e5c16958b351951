import type { Response } from 'express'
import type { Logger } from '../tools/log.ts'

const tickMs = 10
/** In milliseconds. A shorter stall of the event loop is not logged. */
const leastMs = 50
/**
 * If more requests than this ran in one turn of the event loop, load caused the stall, and the log names no request.
 */
const mostNamed = 3

export type StallWatch = {
  /** Records a request. Pass the returned place to `end`. */
  begin(response: Response): number
  end(place: number): void
  stop(): void
}

/**
 * Logs which request blocked the event loop. No timer runs while a request blocks the event loop, so a long CPU time
 * between two ticks of the timer points to a request that began or ended between the two ticks. If no request began or
 * ended between the ticks, the CPU time belongs to a request in progress.
 */
export function watchStalls(log: Logger): StallWatch {
  // Use an array with reusable places, not a Set. A growing Set replaces its internal tables, and the old tables keep
  // hundreds of ended responses in memory, so that garbage collection takes a fifth of the CPU time. `noted` must stay
  // short, because its responses stay in memory after they have ended.
  const underWay: (Response | null)[] = []
  const free: number[] = []
  const noted: Response[] = []
  let before = process.threadCpuUsage()

  const timer = setInterval(() => {
    const now = process.threadCpuUsage()
    const milliseconds = Math.round((now.user + now.system - before.user - before.system) / 1000)
    before = now
    const found = noted.length > 0 ? noted : underWay.filter(isBusy)
    if (milliseconds >= leastMs && found.length > 0 && found.length <= mostNamed) {
      log.warn({ milliseconds, requests: found.map(nameOf) }, 'a request blocked the event loop')
    }
    noted.length = 0
  }, tickMs)
  timer.unref()

  function note(response: Response): void {
    if (noted.length <= mostNamed && !noted.includes(response)) noted.push(response)
  }

  return {
    begin(response) {
      const place = free.pop() ?? underWay.length
      underWay[place] = response
      note(response)
      return place
    },
    end(place) {
      const response = underWay[place]
      underWay[place] = null
      free.push(place)
      if (response) note(response)
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Returns true if the request may have blocked the event loop. Excludes open streams, because a stream waits for events
 * nearly all of its time.
 */
function isBusy(response: Response | null): response is Response {
  return response !== null && response.locals.streamsSince === undefined
}

function nameOf({ req, locals }: Response) {
  const { requestId, route = 'none', operation, caller } = locals
  return { requestId, method: req.method, route, operation, project: caller?.project.slug }
}
