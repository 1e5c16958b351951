import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHere } from '../support/run-command.ts'
import { type App, startApp, type TestProject } from '../support/start-app.ts'

let app: App
let store: TestProject
beforeAll(async () => {
  app = await startApp()
  store = await app.makeProject()
})
afterAll(() => app.stop())

const cli = (...args: string[]) =>
  runHere({ ANIMAL_STORE_URL: app.url, ANIMAL_STORE_KEY: store.secret }, args)
const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).output)

describe('the command line', () => {
  it('the command adds, sells, delivers and removes a pet', async () => {
    const pet = await json('pets', 'add', 'Biscuit', '--category', '7', '--status', 'available')
    const order = await json('orders', 'place', pet.id, '--reference', 'web-1', '--note', 'On Saturday.')
    const twice = await cli('orders', 'place', pet.id)
    const refused = await cli('pets', 'remove', pet.id, '--yes')
    const approved = await cli('orders', 'approve', order.id)
    const delivered = await json('orders', 'deliver', order.id)
    const late = await cli('orders', 'cancel', order.id)
    const shown = await cli('orders', 'show', order.id)
    const updated = await json('pets', 'update', pet.id, '--name', 'Max', '--category', '8')
    const removed = await cli('pets', 'remove', pet.id, '--yes')

    expect(order).toMatchObject({ petId: pet.id, status: 'placed', reference: 'web-1' })
    expect(twice).toMatchObject({ exitCode: 6, errors: expect.stringContaining('cannot be ordered') })
    expect(refused).toMatchObject({ exitCode: 6, errors: expect.stringContaining('open order') })
    expect(approved.output).toMatch(/^ORDER +STATUS +PET +NAME +CATEGORY +REFERENCE +PLACED$/m)
    expect(approved.output).toMatch(/approved +\d+ +Biscuit +7 +web-1/)
    expect(delivered.status).toBe('delivered')
    expect(late.exitCode).toBe(6)
    expect(shown.output).toContain('On Saturday.')
    expect(updated).toEqual({ id: pet.id, name: 'Max', categoryId: '8', status: 'sold' })
    expect(removed).toMatchObject({ exitCode: 0, output: `Pet ${pet.id} is gone.\n` })
    expect((await cli('pets', 'remove', pet.id, '--yes')).exitCode).toBe(4)
    expect((await cli('pets', 'remove', '1')).exitCode).toBe(2)
    expect((await cli('orders', 'show', '999999')).exitCode).toBe(4)
  })

  it('the command filters orders by status, pet, reference and time, and prints one page or all pages', async () => {
    const pet = await json('pets', 'add', 'Luna', '--category', '1')
    for (const reference of ['a', 'b', 'c']) {
      const { id } = await json('orders', 'place', pet.id, '--reference', reference)
      await cli('orders', 'cancel', id)
    }
    const of = ['--pet', pet.id]
    const first = await cli('orders', 'list', ...of, '--limit', '2')
    const cursor = /--after (\S+)/.exec(first.output)?.[1] ?? ''
    const second = await json('orders', 'list', ...of, '--limit', '2', '--after', cursor)
    const all = await cli('orders', 'list', ...of, '--status', 'cancelled', '--all', '--json')

    const references = (text: string) =>
      text
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).reference)
    expect(references(all.output)).toEqual(['c', 'b', 'a'])
    expect(second.items.map((order: { reference: string }) => order.reference)).toEqual(['a'])
    expect((await json('orders', 'list', '--reference', 'b')).items).toHaveLength(1)
    expect((await json('orders', 'list', ...of, '--status', 'placed')).items).toEqual([])
    const long = '2020-01-01T00:00:00Z'
    expect((await json('orders', 'list', ...of, '--placed-from', long)).items).toHaveLength(3)
    expect((await json('orders', 'list', ...of, '--placed-before', long)).items).toEqual([])
    expect((await cli('orders', 'list', '--placed-from', 'yesterday')).errors).toContain('--placed-from')
    expect((await cli('orders', 'list', '--status', 'lost')).exitCode).toBe(2)
  })

  it('the command gives a category a name, lists the named categories, and removes the name of a category', async () => {
    const set = await json('categories', 'set', '9223372036854775807', 'Dragons')
    await cli('categories', 'set', '2', 'Cats')
    const listed = await cli('categories', 'list')
    const removed = await cli('categories', 'remove', '2')
    const nameless = await cli('categories', 'set', '3', ' ')

    expect(set).toMatchObject({ id: '9223372036854775807', name: 'Dragons' })
    expect(listed.output).toMatch(/^2 +Cats/m)
    expect(removed.exitCode).toBe(0)
    expect((await json('categories', 'list')).items).toHaveLength(1)
    expect((await cli('categories', 'remove', '2')).exitCode).toBe(4)
    expect(nameless).toMatchObject({ exitCode: 2, errors: expect.stringContaining('<name>') })
  })
})
