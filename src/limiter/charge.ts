/** A fixed window that begins with its first use. `points` is what the charge takes of this window, if not the charge's. */
export type WindowRule = { name: string; seconds: number; limit: number; points?: number }
/** A key with more refusals in a minute is banned; every ban within a day of another lasts twice as long as the one before. */
export type BanRule = { key: string; refusalsPerMinute: number; seconds: number; maxSeconds: number }
/** Windows of several budgets may stand in one charge: it takes its points of all of them, or of none. */
export type Charge = { subject: string; points: number; windows: readonly WindowRule[]; ban?: BanRule }
/** A budget of one window and no ban, which is never charged together with another. */
export type Budget = { name: string; window: Omit<WindowRule, 'points'> }
export type OneWindowCharge = { budget: Budget; who: string; points: number }
