import type { Store } from '../../src/limiter/limiter.ts'
import type { App } from './start-app.ts'

/** Returns how many charges of the app were counted in this store, according to the app's metrics. */
export function chargesCountedIn(store: Store, app: App): number {
  return Number(new RegExp(`counted_in="${store}"} (\\d+)`).exec(app.tools.metrics.text())?.[1])
}
