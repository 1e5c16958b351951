import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '../support/start-app.ts'

type Answer = { id: string; result: { structuredContent: { pets: { name: string }[] } } }

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

test('concurrent calls of two projects with the same id are each answered from their own project', async () => {
  const owners = await Promise.all(
    ['Rex', 'Minka'].map(async name => {
      const project = await app.makeProject({ plan: 'enterprise', perMinute: 6000, perDay: 100_000 })
      await project.post('/v1/pets', { name, categoryId: 1 })
      return { name, secret: project.secret }
    }),
  )
  const call = {
    jsonrpc: '2.0',
    id: 'same',
    method: 'tools/call',
    params: { name: 'list_pets', arguments: {} },
  }
  const ask = async ({ name, secret }: { name: string; secret: string }, body: unknown) => {
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    })
    const answers = [(await response.json()) as Answer | Answer[]].flat()
    const pets = answers.flatMap(({ result }) => result.structuredContent.pets)
    return { name, ids: answers.map(({ id }) => id), names: pets.map(pet => pet.name) }
  }

  const asked = Array.from({ length: 20 }, () => owners).flat()
  const single = await Promise.all(asked.map(owner => ask(owner, call)))
  // A client may even use an id twice in one body.
  const double = await Promise.all(owners.map(owner => ask(owner, [call, call])))

  for (const { name, ids, names } of single) expect({ ids, names }).toEqual({ ids: ['same'], names: [name] })
  for (const { name, ids, names } of double)
    expect({ ids, names }).toEqual({ ids: ['same', 'same'], names: [name, name] })
})
