import { randomUUID } from 'node:crypto'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp } from '../support/start-app.ts'
import { watchStatements } from '../support/statements.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const times = <Result>(count: number, run: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)))
const needsPostgres = ({ skip }: { skip: (why: string) => void }) =>
  app.tools.database.pool ? undefined : skip('PostgreSQL is not installed')

test('twenty domains that are added at the same time together use at most one connection to the database', async context => {
  needsPostgres(context)
  const store = await app.makeProject({ plan: 'pro' })
  const send = graphqlOf(app, store)
  await send('mutation { deployCreate(input: {}) { deploy { id } } }')
  const watch = watchStatements()

  const added = await times(20, n =>
    send(`mutation { domainAdd(input: { name: "d${n}.${store.project.slug}.test" }) { domain { id } } }`),
  ).finally(watch.stop)

  expect(added.flatMap(({ errors }) => errors)).toEqual([])
  expect(watch.mostManaging()).toBe(1)
})

test('identical introspection queries that arrive at the same time are executed only once', async () => {
  const store = await app.makeProject({ plan: 'enterprise', perMinute: 10_000, perDay: 100_000 })
  const { pages } = app.tools.metrics
  const query = `${getIntrospectionQuery()} # ${randomUUID()}`
  const before = pages.misses

  const answers = await times(8, () => graphqlOf(app, store)(query))

  expect(answers.flatMap(({ errors }) => errors)).toEqual([])
  expect(pages.misses - before).toBe(1)
})
