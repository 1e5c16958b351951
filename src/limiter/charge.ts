/** A fixed window that begins with its first use. `points` is what the charge takes of this window, if not the charge's. */
export type WindowRule = { name: string; seconds: number; limit: number; points?: number }
/** A key with more refusals in a minute is banned; every ban within a day of another lasts twice as long as the one before. */
export type BanRule = { key: string; refusalsPerMinute: number; seconds: number; maxSeconds: number }
/** A charge takes its points of all its windows or of none. */
export type Rules = { windows: readonly WindowRule[]; ban?: BanRule | undefined }
/** `subject` is whose counts these are: a project, an address. */
export type Charge = Rules & { subject: string; points: number }

export type Act = 'charge' | 'peek'
/** Points to add to a window without refusing, or to take back if negative; with `resetAt` only of the window that ends then. */
export type Addition = { name: string; seconds: number; points: number; resetAt?: number }
