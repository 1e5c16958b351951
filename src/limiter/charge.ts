/** A fixed window, which begins with its first use. `points` overrides the charge's points for this window. */
export type WindowRule = { name: string; seconds: number; limit: number; points?: number }
/**
 * A key is banned if more than `refusalsPerMinute` of its requests are refused within a minute. If the key is banned
 * again within a day, the new ban lasts twice as long as the ban before, but at most `maxSeconds`.
 */
export type BanRule = { key: string; refusalsPerMinute: number; seconds: number; maxSeconds: number }
/** A charge takes points from all of its windows or from none. */
export type Rules = { windows: readonly WindowRule[]; ban?: BanRule | undefined }
/** `subject` is the owner of the counts, for example a project or an address. */
export type Charge = Rules & { subject: string; points: number }

export type Act = 'charge' | 'peek'
/**
 * Points to add to a window without a check, or to give back if negative. With `resetAt`, they are added only if the
 * window ends at that time.
 */
export type Addition = { name: string; seconds: number; points: number; resetAt?: number }
