import type { Store } from '../../src/limiter/limiter.ts'
import type { App } from './start-app.ts'

/** The number of charges that a store has decided for the app so far, as an operator reads it. */
export function chargesCountedIn(store: Store, app: App): number {
  return Number(new RegExp(`counted_in="${store}"} (\\d+)`).exec(app.tools.metrics.text())?.[1])
}
