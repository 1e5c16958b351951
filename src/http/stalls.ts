import type { Response } from 'express'
import type { Logger } from '../tools/log.ts'

const tickMs = 10
/** Uninterrupted CPU time that is worth a line of the log. */
const leastMs = 50
/** With more requests in one turn of the event loop it is load, and no request alone stands out. */
const mostNamed = 3

export type StallWatch = {
  begin(response: Response): void
  end(response: Response): void
  stop(): void
}

/**
 * Logs which request held the event loop. While one does, no timer runs: the CPU time between two ticks of a timer is
 * then the request's. It is one that began or ended between them, or else one that is under way.
 */
export function watchStalls(log: Logger): StallWatch {
  const underWay = new Set<Response>()
  let noted = new Set<Response>()
  let before = process.threadCpuUsage()

  const timer = setInterval(() => {
    const now = process.threadCpuUsage()
    const milliseconds = Math.round((now.user + now.system - before.user - before.system) / 1000)
    before = now
    const found = noted.size > 0 ? noted : underWay
    if (milliseconds >= leastMs && found.size > 0 && found.size <= mostNamed) {
      log.warn(
        { milliseconds, requests: [...found].map(nameOf) },
        'a request held the event loop without a pause',
      )
    }
    if (noted.size > 0) noted = new Set()
  }, tickMs)
  timer.unref()

  return {
    begin(response) {
      underWay.add(response)
      noted.add(response)
    },
    end(response) {
      underWay.delete(response)
      noted.add(response)
    },
    stop: () => clearInterval(timer),
  }
}

function nameOf({ req, locals }: Response) {
  const { requestId, route = 'none', operation, caller } = locals
  return { requestId, method: req.method, route, operation, project: caller?.project.slug }
}
