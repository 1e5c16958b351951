import type { Hand } from './hand.ts'

/** A row of docs/hostile.md. */
export type Attack = {
  name: string
  /** A description of the attack. */
  what: string
  by: 'nobody' | 'free key' | 'pro key'
  /** Also in the short form that `npm test` plays. */
  short?: true
  run(hand: Hand): Promise<unknown>
}
