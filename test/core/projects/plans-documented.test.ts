import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPlans, projectStreamsOf, streamsOf } from '../../../src/core/projects/plans.ts'
import { type App, startApp } from '../../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('README.md, openapi.yaml and schema.graphql say how many requests each plan of the database allows', async () => {
  const plans = await listPlans(app.tools.db)
  const limits = plans.map(({ requestsPerMinute, requestsPerDay }) => [requestsPerMinute, requestsPerDay])
  const fixed = limits.filter(([perMinute]) => perMinute !== null)
  const [perMinute, perDay] = [0, 1].map(window => fixed.map(limit => limit[window]?.toLocaleString('en')))

  expect(fixed).toHaveLength(3)
  const readme = readFileSync('README.md', 'utf8')
  expect(readme).toContain(`| requests a minute | ${perMinute?.join(' | ')} | as agreed |`)
  expect(readme).toContain(`| requests a day | ${perDay?.join(' | ')} | as agreed |`)
  const [rest, graphql] = ['openapi.yaml', 'schema.graphql'].map(file => readFileSync(file, 'utf8'))
  fixed.forEach((_, plan) => {
    expect(rest).toMatch(new RegExp(`\\| *${perMinute?.[plan]} *\\| *${perDay?.[plan]} *\\|`))
    expect(graphql).toContain(`${perMinute?.[plan]} requests a minute, ${perDay?.[plan]} a day`)
  })
})

test('docs/events.md says how many streams of one key and of one project may be open on each plan', async () => {
  const streams = (await listPlans(app.tools.db)).map(({ name }) => [name, streamsOf(name)])

  expect(streams).toEqual([
    ['free', 5],
    ['pro', 20],
    ['business', 100],
    ['enterprise', 100],
  ])
  for (const [name, ofKey] of streams) expect(projectStreamsOf(String(name))).toBe(20 * Number(ofKey))
  expect(readFileSync('docs/events.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(
    '5 streams open on the plan free, 20 on pro and 100 above. All keys of a project together may have 20 times as many.',
  )
})
