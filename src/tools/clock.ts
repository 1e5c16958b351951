/** The only source of time. A test's clock runs ahead of the real one by as much as the test says. */
export type Clock = {
  now(): number
  /** How far this clock runs ahead of real time; Redis adds it to its own, which all processes share. */
  aheadMs(): number
}

export const systemClock: Clock = { now: Date.now, aheadMs: () => 0 }
