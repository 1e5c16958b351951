import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphqlOf } from '../support/graphql.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let project: TestProject
let send: ReturnType<typeof graphqlOf>
beforeAll(async () => {
  app = await startApp()
  project = await app.makeProject()
  send = graphqlOf(app, project)
})
afterAll(() => app.stop())

const byVariable = 'query($at: DateTime) { apiKeys(endsBefore: $at) { nodes { id } } }'
const issue = `mutation($at: DateTime) {
  issueApiKey(input: { name: "Till", scopes: [pets_read], expiresAt: $at }) { apiKey { expiresAt } }
}`

describe('DateTime', () => {
  test.each([
    ['2030-01-31T23:59:59Z', '2030-01-31T23:59:59.000Z'],
    ['2030-01-31t23:59:59z', '2030-01-31T23:59:59.000Z'],
    ['2030-01-31T23:59:59.5Z', '2030-01-31T23:59:59.500Z'],
    ['2030-01-31T23:59:59.123456789Z', '2030-01-31T23:59:59.123Z'],
    ['2030-01-31T23:59:59+02:00', '2030-01-31T21:59:59.000Z'],
    ['2030-01-31T23:59:59-00:30', '2030-02-01T00:29:59.000Z'],
    ['2032-02-29T00:00:00+14:00', '2032-02-28T10:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('DateTime accepts RFC 3339 in a variable and in a literal: %s', async (at, shown) => {
    for (const query of [issue, issue.replace('($at: DateTime)', '').replace('$at', JSON.stringify(at))]) {
      const { data } = await send(query, { variables: query === issue ? { at } : {} })

      expect(data.issueApiKey.apiKey.expiresAt).toBe(shown)
    }
  })

  test.each([
    '2030-01-45T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-00-01T00:00:00Z',
    '2030-02-30T00:00:00Z',
    '2030-02-29T12:00:00+02:00',
    '2030-04-31T00:00:00Z',
    '2030-01-01T24:00:00Z',
    '2030-01-01T25:00:00Z',
    '2030-01-01T00:60:00Z',
    '2030-01-01T00:00:00+24:00',
    '2030-01-01T00:00:00',
    '2030-01-01 00:00:00Z',
    '2030-01-01',
    'tomorrow',
    '',
    1_900_000_000,
    true,
  ])('DateTime rejects %j in a variable and in a literal', async at => {
    const inText = byVariable.replace('($at: DateTime)', '').replace('$at', JSON.stringify(at))

    const ofVariable = await send(byVariable, { variables: { at } })
    const ofText = await send(inText)

    for (const [{ status, errors }, field] of [
      [ofVariable, 'at'],
      [ofText, 'endsBefore'],
    ] as const) {
      expect(status).toBe(400)
      expect(errors).toMatchObject([{ extensions: { code: 'invalid_input', details: [{ field }] } }])
    }
  })

  test.each(['0000-01-01T00:00:00Z', '0000-01-01T00:00:00+12:00', '9999-12-31T23:59:59-12:00'])(
    'DateTime at the ends of its range causes no server error: %s',
    async at => {
      const found = await send(byVariable, { variables: { at } })
      const issued = await send(issue, { variables: { at } })

      for (const { status } of [found, issued]) expect(status).toBeLessThan(500)
    },
  )
})
