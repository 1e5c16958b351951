import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDrain } from '../../src/http/drain.ts'
import { restRouter } from '../../src/rest/router.ts'
import { contract, operations } from '../support/contract-document.ts'
import { type App, startApp } from '../support/start-app.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const documentedPaths = Object.keys(contract.paths)

it('every documented path is served, and no other', () => {
  const served = restRouter(app.tools, makeDrain()).stack.flatMap(layer => layer.route?.path ?? [])

  expect(served.sort()).toEqual(documentedPaths.map(path => path.replace(/\{(\w+)\}/g, ':$1')).sort())
})

it.each(documentedPaths)('%s allows exactly the documented methods', async path => {
  const store = await app.makeProject()

  const refused = await store.ask(`/v1${path.replace(/\{\w+\}/g, '1')}`, { method: 'PURGE' })

  const documented = operations.filter(one => one.template === path).map(one => one.method)
  const allowed = (refused.headers.allow ?? '')
    .split(', ')
    .filter(method => method !== 'HEAD' && method !== 'OPTIONS')
  expect(allowed.sort()).toEqual(documented.sort())
})
