import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runFor } from '../../src/database/owner.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

let projects = 1_000

/** Returns how many of 40 attempts of a project may begin at once. */
const attemptsAtOnce = (projectId: number) =>
  Array.from({ length: 40 }, () => app.tools.webhooks.delayOf(projectId)).filter(ms => ms === 0).length

test('fewer webhook attempts of a project run concurrently while another project sends requests', async () => {
  const [shop, other] = [++projects, ++projects]
  runFor(other, () => {})
  expect(attemptsAtOnce(shop)).toBe(5)

  // Wait until the service no longer counts the other project as one that sends requests.
  await pause(300)
  runFor(shop, () => {})
  expect(attemptsAtOnce(shop)).toBeGreaterThanOrEqual(20)
})
