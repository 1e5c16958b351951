import type { Store } from '../../src/limiter/limiter.ts'
import type { App } from './start-app.ts'

/**
 * Returns how many charges the app's limiter counted in Redis or in memory, as `store` says. The number comes from the
 * app's metrics.
 */
export function chargesCountedIn(store: Store, app: App): number {
  return Number(new RegExp(`counted_in="${store}"} (\\d+)`).exec(app.tools.metrics.text())?.[1])
}
