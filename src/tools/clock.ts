/** The only source of time. In tests the clock can run ahead of real time. */
export type Clock = {
  now(): number
  /**
   * How many milliseconds the clock is ahead of real time. Redis adds this number to the clock of Redis, which all
   * processes share.
   */
  aheadMs(): number
}

export const systemClock: Clock = { now: Date.now, aheadMs: () => 0 }
