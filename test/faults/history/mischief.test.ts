import { expect, it } from 'vitest'
import { wired } from '../ground.ts'
import { chooseMischief } from './mischief.ts'

const namesOf = (seed: number) =>
  chooseMischief(seed, wired)
    .take(30)
    .map(chosen => chosen.map(({ fault }) => fault.name).join(' and '))
    .toArray()

it('a seed causes the same faults in the same order, and another seed causes others', () => {
  expect(namesOf(3)).toEqual(namesOf(3))
  expect(namesOf(3)).not.toEqual(namesOf(4))
})
