import { afterAll, beforeAll, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { graphqlOf, sendGraphql } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
let app: App
let info: MockInstance
beforeAll(async () => {
  app = await startApp({ env: { OPERATOR_KEY: `mara:${operatorKey}` } })
})
afterAll(() => app.stop())
beforeEach(() => {
  info = vi.spyOn(app.tools.log, 'info')
  return () => info.mockRestore()
})
const asOperator = (query: string) => sendGraphql(app.url, operatorKey, `mutation { ${query} }`)
const acts = () => info.mock.calls.filter(([, text]) => String(text).startsWith('operator: '))

test("each change that only an operator can make is logged with the operator's name", async () => {
  await asOperator('createProject(input: { slug: "corner", plan: pro }) { project { slug } }')
  await asOperator('setPlan(project: "corner", plan: free) { slug }')
  await asOperator('suspendProject(project: "corner") { slug }')
  await asOperator('resumeProject(project: "corner") { slug }')
  await asOperator('resumeCertificates { pauses }')

  const who = { operator: 'mara', requestId: expect.any(String) }
  const project = 'corner'
  expect(acts()).toEqual([
    [{ ...who, project, plan: 'pro', limits: null }, 'operator: project created'],
    [{ ...who, project, plan: 'free', limits: { perMinute: 60, perDay: 1000 } }, 'operator: plan set'],
    [{ ...who, project }, 'operator: project suspended'],
    [{ ...who, project }, 'operator: project resumed'],
    [{ ...who, pauses: 0, certificates: 0 }, 'operator: certificates resumed'],
  ])
})

test("a refused change and a change by a project's own key are not logged as changes by an operator", async () => {
  const store = await app.makeProject()

  await asOperator('suspendProject(project: "nobody") { slug }')
  await graphqlOf(app, store)('mutation { resumeCertificates { pauses } }')

  expect(acts()).toEqual([])
})
