import type { RequestHandler } from 'express'
import type { Redis } from 'ioredis'
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'

export type KnownProject = { id: number; perMinute: number; perDay: number }

/** This check is cheaper than one with any real key store, because all keys are in memory. */
export function authenticate(projects: Map<string, KnownProject>): RequestHandler {
  return (req, res, next) => {
    const project = projects.get(req.headers.authorization?.slice('Bearer '.length) ?? '')
    if (!project) {
      res.status(401).json({ code: 'unauthorized', message: 'Unknown API key', status: 401 })
      return
    }
    res.locals.project = project
    next()
  }
}

/** In rate-limiter-flexible, the limit belongs to the limiter, so each quota needs its own pair of limiters. */
export function limit(redis: Redis): RequestHandler {
  const pairs = new Map<string, [RateLimiterRedis, RateLimiterRedis]>()
  return async (_req, res, next) => {
    const project: KnownProject = res.locals.project
    const [minute, day] = pairOf(project)
    try {
      const [inMinute] = await Promise.all([minute.consume(project.id), day.consume(project.id)])
      setHeaders(project.perMinute, inMinute, res.set.bind(res))
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal
      const { msBeforeNext } = refusal as RateLimiterRes
      res.set('Retry-After', String(Math.ceil(msBeforeNext / 1000)))
      setHeaders(project.perMinute, refusal as RateLimiterRes, res.set.bind(res))
      res.status(429).json({ code: 'rate_limited', message: 'Too Many Requests', status: 429 })
      return
    }
    next()
  }

  function pairOf(project: KnownProject) {
    const name = `${project.perMinute}/${project.perDay}`
    const known = pairs.get(name)
    if (known) return known
    const rule = (keyPrefix: string, points: number, duration: number) =>
      new RateLimiterRedis({ storeClient: redis, keyPrefix: `${keyPrefix}${name}`, points, duration })
    const pair: [RateLimiterRedis, RateLimiterRedis] = [
      rule('minute', project.perMinute, 60),
      rule('day', project.perDay, 86400),
    ]
    pairs.set(name, pair)
    return pair
  }
}

function setHeaders(limit: number, state: RateLimiterRes, set: (name: string, value: string) => void) {
  set('X-RateLimit-Limit', String(limit))
  set('X-RateLimit-Remaining', String(state.remainingPoints))
  set('X-RateLimit-Reset', String(Math.ceil((Date.now() + state.msBeforeNext) / 1000)))
}
