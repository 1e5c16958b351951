import type { Store } from '../../src/limiter/limiter.ts'
import type { App } from './start-app.ts'

/** Returns the number of charges that this store has decided for the app, from the metrics. */
export function chargesCountedIn(store: Store, app: App): number {
  return Number(new RegExp(`counted_in="${store}"} (\\d+)`).exec(app.tools.metrics.text())?.[1])
}
