import type { Answer } from './ask.ts'

export const ids = (answer: Answer): number[] => (answer.json as { id: number }[]).map(pet => pet.id)
