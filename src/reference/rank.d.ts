import type { Place } from './search-index.ts'

export function prepare(place: Place): Place
export function rank(places: readonly Place[], query: string): Place[]
export function isNearly(typed: string, word: string): boolean
export function excerptOf(place: Pick<Place, 'text'>, query: string): string
