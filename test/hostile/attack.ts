import type { Hand } from './hand.ts'

/** An attack; docs/hostile.md has a row for each. */
export type Attack = {
  name: string
  /** A description of the attack. */
  what: string
  by: 'nobody' | 'a person' | 'free key' | 'pro key'
  /** True if `npm test` also runs this attack. */
  short?: true
  run(hand: Hand): Promise<unknown>
}
