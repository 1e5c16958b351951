/** The only source of time. A test's clock can run ahead of real time. */
export type Clock = {
  now(): number
  /** Lead over real time. Redis adds it to its own clock, which all processes share. */
  aheadMs(): number
}

export const systemClock: Clock = { now: Date.now, aheadMs: () => 0 }
