import { afterAll, beforeAll, expect, it } from 'vitest'
import { openChallenges } from '../../../src/core/people/challenges.ts'
import { movableClock } from '../../support/clock.ts'
import { type App, startApp } from '../../support/start-app.ts'
import { countStatements } from '../../support/statements.ts'

const clock = movableClock()
let app: App
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.stop())

const purpose = 'passkey to sign in'
const open = () => openChallenges(app.tools.db, clock)
const many = <Made>(count: number, make: (n: number) => Promise<Made>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))

it('a hundred sign-ins that begin at once share a few statements', async () => {
  const challenges = open()

  const count = await countStatements(['challenges'], () => many(100, () => challenges.make(purpose)))

  expect(count).toBeLessThan(10)
})

it('concurrent wrong guesses of a challenge share a few reads, and write nothing', async () => {
  const challenges = open()

  const count = await countStatements(['challenges'], async () => {
    const taken = await many(100, n => challenges.take(purpose, `guess ${n}`))
    expect(taken.every(each => each === null)).toBe(true)
  })

  expect(count).toBeLessThan(10)
})

it('a challenge is accepted only once, only for its purpose, and only within five minutes', async () => {
  const challenges = open()
  const [value, late, other] = (await many(3, () => challenges.make(purpose))).map(each =>
    each.toString('base64url'),
  )

  const taken = await many(5, () => challenges.take(purpose, value ?? ''))
  const asOther = await challenges.take('passkey to add', other ?? '')
  const asItself = await challenges.take(purpose, other ?? '')
  clock.advance(5 * 60_000 + 1)
  const tooLate = await challenges.take(purpose, late ?? '')

  expect(taken.filter(each => each !== null)).toHaveLength(1)
  expect([asOther, asItself?.purpose, tooLate]).toEqual([null, purpose, null])
})
