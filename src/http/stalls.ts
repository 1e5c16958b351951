import type { Response } from 'express'
import type { Logger } from '../tools/log.ts'

const tickMs = 10
/** Uninterrupted CPU time, in milliseconds, that is logged. */
const leastMs = 50
/** More requests than this in one turn of the event loop are load, so no request is blamed. */
const mostNamed = 3

export type StallWatch = {
  begin(response: Response): void
  end(response: Response): void
  stop(): void
}

/**
 * Logs which request blocked the event loop. No timer runs while a request blocks, so the CPU time between two ticks of
 * a timer belongs to a request that began or ended between them, or else to one in progress.
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
