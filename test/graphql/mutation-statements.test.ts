import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { units } from '../../src/graphql/prices.ts'
import { isOfPeople, makeObjects, makePeople, mutations, spellMutation } from '../support/every-mutation.ts'
import { sendGraphql } from '../support/graphql.ts'
import { unitsOf } from '../support/graphql-cost.ts'
import { unusedIssuer } from '../support/issuer.ts'
import { type App, startApp } from '../support/start-app.ts'
import { watchStatements } from '../support/statements.ts'

const operatorKey = 'operator-of-the-tests-0123456789abcdef'
const schema = buildSchema(readFileSync('schema.graphql', 'utf8'), { assumeValid: true })
const fields = schema.getMutationType()?.getFields() ?? {}
const names = Object.keys(fields).filter(name => fields[name]?.deprecationReason == null)

let app: App
beforeAll(async () => {
  app = await startApp({ env: { ...unusedIssuer, OPERATOR_KEY: operatorKey } })
  // Stop the jobs: their statements would be counted too.
  await app.tools.jobs.close()
})
afterAll(() => app.stop())

test('the table of this test has every mutation', () => {
  expect(Object.keys(mutations).toSorted()).toEqual(names.toSorted())
})

test.each(names)(
  'the charge for the mutation %s covers every SQL statement that the mutation makes',
  async name => {
    const isOperators =
      /^(project(?!SetLeakedKeys)[A-Z]|apiKeyBan|apiKeyLiftBan|certificatesResume|operator[A-Z])/.test(name)
    const send = async () => {
      const store = await app.makeProject({ plan: 'enterprise', perMinute: 10_000, perDay: 100_000 })
      const { token, ...people } = isOfPeople(name) ? await makePeople(app, store) : { token: store.secret }
      const objects = { ...(await makeObjects(app, store)), ...people }
      // Reads the key and the plan, which the service then caches.
      await sendGraphql(app.url, token, '{ caller { operator } }')
      const query = `mutation { ${spellMutation(name, objects)} }`
      const watch = watchStatements()
      const answer = await sendGraphql(app.url, isOperators ? operatorKey : token, query).finally(watch.stop)
      expect(answer.errors).toEqual([])
      return { statements: watch.ofRequests(), units: unitsOf(query) }
    }

    const counts = [await send(), await send(), await send()]

    expect(Math.min(...counts.map(({ statements }) => statements))).toBeGreaterThan(0)
    const [{ units: paid } = { units: 0 }] = counts
    expect(Math.min(...counts.map(({ statements }) => statements))).toBeLessThanOrEqual(
      paid / units.statement,
    )
  },
)
