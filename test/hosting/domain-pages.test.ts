import { expect, inject, test } from 'vitest'
import { englishDatabase } from '../support/databases.ts'
import { graphqlOf } from '../support/graphql.ts'
import { startApp } from '../support/start-app.ts'

test('domains are listed page by page, whatever the collation of the database', async ({ skip }) => {
  if (inject('services').postgresUrl === null) return skip('PostgreSQL is not installed')
  const database = await englishDatabase()
  const app = await startApp({ env: database.env })
  const project = await app.makeProject()
  const names = ['a-z.test', 'a.test', 'aa.test', 'ab-c.test', 'abb.test']
  const now = new Date()
  const data = names.map(name => ({ projectId: project.project.id, name, createdAt: now, looksSince: now }))
  await app.tools.db.domain.createMany({ data })

  const found: string[] = []
  let after: string | null = null
  do {
    const { data } = await graphqlOf(app, project)(
      'query($after: String) { domains(first: 1, after: $after) { nodes { name } pageInfo { endCursor } } }',
      { variables: { after } },
    )
    found.push(...data.domains.nodes.map(({ name }: { name: string }) => name))
    after = data.domains.pageInfo.endCursor
  } while (after !== null)
  await app.stop()
  await database.remove()

  expect(found).toEqual(names)
})
