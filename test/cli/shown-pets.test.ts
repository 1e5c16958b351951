import { describe, expect, it } from 'vitest'
import { runWithAnswers, type StubAnswer } from '../support/run-command.ts'

const pet = (id: number, more: object = {}) => ({ id, name: `Pet ${id}`, categoryId: 7, ...more })
const order = (id: number, more: object = {}) => ({
  ...{ id, petId: 12, petName: 'Biscuit', categoryId: 7, status: 'placed', placedAt: '2026-02-03T04:05:06Z' },
  ...{ changedAt: '2026-02-03T04:05:06Z', ...more },
})
const one = (json: object, status = 200): StubAnswer => ({ json, status })
const page = (json: object[], cursor?: string): StubAnswer => ({
  json,
  ...(cursor && { headers: { link: `<http://elsewhere.test/v1/x?cursor=${cursor}>; rel="next"` } }),
})
const petHeads = ['ID', 'NAME', 'CATEGORY', 'STATUS']
const orderHeads = ['ORDER', 'STATUS', 'PET', 'NAME', 'CATEGORY', 'REFERENCE', 'PLACED']
const orderRow = ['3', 'placed', '12', 'Biscuit', '7', '-', '2026-02-03 04:05 UTC']
const category = { id: 7, name: 'Dogs', petCount: 5 }
const categoryHeads = ['CATEGORY', 'NAME', 'PETS']

describe('the requests and tables of the command line', () => {
  it.each([
    ['pets list', ['GET /v1/pets?limit=20&sort=id'], [petHeads, ['1', 'Pet 1', '7', '-']]],
    [
      'pets list --status sold --category -9223372036854775808 --name Bi --sort -id --limit 3 --after c1',
      ['GET /v1/pets?limit=3&status=sold&categoryId=-9223372036854775808&name=Bi&sort=-id&cursor=c1'],
      [petHeads, ['1', 'Pet 1', '7', '-']],
    ],
    ['orders list', ['GET /v1/store/orders?limit=20'], null],
    [
      'orders list --status placed --pet 12 --reference web-1 --limit 3 --after c1',
      ['GET /v1/store/orders?limit=3&status=placed&reference=web-1&petId=12&cursor=c1'],
      null,
    ],
    ['categories list --limit 3 --after c1', ['GET /v1/categories?limit=3&cursor=c1'], null],
  ])(
    'the command %j sends exactly the expected request, and prints the answer',
    async (line, request, cells) => {
      const ended = await runWithAnswers(line, [page([pet(1)])])

      expect(ended.received).toEqual([['owner', ...request]])
      if (cells) expect(ended.cells).toEqual(cells)
    },
  )

  it.each([
    [
      'pets add Biscuit --category 7',
      ['POST /v1/pets', { name: 'Biscuit', categoryId: 7 }],
      one(pet(1), 201),
      [petHeads, ['1', 'Pet 1', '7', '-']],
    ],
    [
      'pets update 12 --name Max --category 8 --status sold',
      ['PATCH /v1/pets/12', { name: 'Max', categoryId: 8, status: 'sold' }],
      one(pet(12, { status: 'sold' })),
      [petHeads, ['12', 'Pet 12', '7', 'sold']],
    ],
    ['pets remove 12 --yes', ['DELETE /v1/pets/12'], { status: 204 }, [['Pet 12 is gone.']]],
    [
      'pets inventory',
      ['GET /v1/store/inventory'],
      one({ available: 1, pending: 2, sold: 3, unset: 4, total: 10 }),
      [
        ['STATUS', 'PETS'],
        ['available', '1'],
        ['pending', '2'],
        ['sold', '3'],
        ['unset', '4'],
        ['total', '10'],
      ],
    ],
    [
      'orders place 12 --reference web-1 --note Soon',
      ['POST /v1/store/orders', { petId: 12, reference: 'web-1', note: 'Soon' }],
      one(order(3, { note: 'Soon' }), 201),
      [orderHeads, orderRow, ['Soon']],
    ],
    ['orders show 3', ['GET /v1/store/orders/3'], one(order(3)), [orderHeads, orderRow]],
    ['orders approve 3', ['POST /v1/store/orders/3/approve'], one(order(3)), [orderHeads, orderRow]],
    ['orders deliver 3', ['POST /v1/store/orders/3/deliver'], one(order(3)), [orderHeads, orderRow]],
    ['orders cancel 3', ['POST /v1/store/orders/3/cancel'], one(order(3)), [orderHeads, orderRow]],
    [
      'categories set 7 Dogs',
      ['PUT /v1/categories/7', { name: 'Dogs' }],
      one(category),
      [categoryHeads, ['7', 'Dogs', '5']],
    ],
    [
      'categories remove 7',
      ['DELETE /v1/categories/7'],
      { status: 204 },
      [['The category 7 has no name any more.']],
    ],
  ] as [string, unknown[], StubAnswer, string[][]][])('%j', async (line, request, answer, cells) => {
    const ended = await runWithAnswers(line, [answer])

    expect(ended.errors).toBe('')
    expect(ended.received).toEqual([['owner', ...request]])
    expect(ended.cells).toEqual(cells)
  })
})

it.each([
  ['pets add Rex --category 7 --idempotency-key k', one(pet(1), 201)],
  ['orders place 12 --idempotency-key k', one(order(3), 201)],
])('the command %j sends the given idempotency key', async (line, answer) => {
  const { exitCode, headers } = await runWithAnswers(line, [answer])

  expect([exitCode, headers]).toMatchObject([0, [{ 'idempotency-key': expect.stringMatching(/^"?k"?$/) }]])
})

describe('a list', () => {
  it.each([
    ['pets', page([pet(1)], 'c2')],
    ['orders', page([order(3)], 'c2')],
    ['categories', page([category], 'c2')],
  ])(
    'a list of %s shows how to read the next page if a next page exists, and with --json contains the cursor of that page',
    async (items, answer) => {
      const shown = await runWithAnswers(`${items} list`, [answer])
      const last = await runWithAnswers(`${items} list`, [page([])])
      const asData = await runWithAnswers(`${items} list --json`, [answer])

      expect(shown.cells.at(-1)).toEqual(['There are more: use --all, or --after c2'])
      expect(last.output).not.toContain('There are more')
      expect(JSON.parse(asData.output)).toMatchObject({ items: [{}], nextCursor: 'c2' })
    },
  )

  it('a list with --all prints all pages under one heading', async () => {
    const pages = [page([pet(1)], 'c2'), page([pet(2)], 'c3'), page([])]

    const { received, cells } = await runWithAnswers('pets list --all --limit 1 --name Pet', pages)

    expect(received).toEqual([
      ['owner', 'GET /v1/pets?limit=100&name=Pet&sort=id'],
      ['owner', 'GET /v1/pets?limit=100&name=Pet&sort=id&cursor=c2'],
      ['owner', 'GET /v1/pets?limit=100&name=Pet&sort=id&cursor=c3'],
    ])
    expect(cells).toEqual([petHeads, ['1', 'Pet 1', '7', '-'], ['2', 'Pet 2', '7', '-']])
  })

  it.each([
    ['pets list', '/v1/pets?limit=100&sort=id&cursor='],
    ['orders list', '/v1/store/orders?limit=100&cursor='],
    ['categories list', '/v1/categories?limit=100&cursor='],
    ['events list', '/v1/events?limit=100&after='],
    ['activity', '/v1/events?limit=100&kind=management&after='],
  ])('%j with --all and --after reads pages of 100 from the cursor on', async (line, path) => {
    const { received } = await runWithAnswers(`${line} --all --after c1`, [page([], 'c2'), page([])])

    expect(received).toEqual(['c1', 'c2'].map(cursor => ['owner', `GET ${path}${cursor}`]))
  })

  it('a list with --all --json prints one line per item over all pages', async () => {
    const pages = [page([pet(1), pet(2)], 'c2'), page([], 'c3'), page([pet(3), pet(4)])]

    const { output } = await runWithAnswers('pets list --all --json', pages)

    const ids = output.split('\n').map(line => line && JSON.parse(line).id)
    expect(ids).toEqual(['1', '2', '3', '4', ''])
  })

  it('an empty list with --all prints only the heading, and prints nothing with --json', async () => {
    expect((await runWithAnswers('pets list --all', [page([])])).cells).toEqual([petHeads])
    expect((await runWithAnswers('pets list --all --json', [page([])])).output).toBe('')
  })
})
