import { expect, test } from 'vitest'
import { concerns, makeHostCache } from '../../src/hosting/host-cache.ts'

const owned = (projectId: number) => ({ projectId, host: null })

function given() {
  const cache = makeHostCache('animals.test')
  for (const name of ['www.shop.test', 'shop.animals.test']) cache.set(name, owned(1))
  cache.set('www.zoo.test', owned(2))
  cache.set('unknown.test', null)
  cache.set('next.animals.test', null)
  const cachedNames = () =>
    ['www.shop.test', 'shop.animals.test', 'www.zoo.test', 'unknown.test', 'next.animals.test'].filter(
      name => cache.get(name) !== undefined,
    )
  return { cache, cachedNames }
}

test.each([
  [
    'of a project invalidates its names',
    { projectId: 1, name: null },
    ['www.zoo.test', 'unknown.test', 'next.animals.test'],
  ],
  [
    'of a name invalidates it, even if it had no owner',
    { projectId: null, name: 'unknown.test' },
    ['www.shop.test', 'shop.animals.test', 'www.zoo.test', 'next.animals.test'],
  ],
  [
    "of a slug invalidates its platform host and that project's names",
    { projectId: 2, name: 'next' },
    ['www.shop.test', 'shop.animals.test', 'unknown.test'],
  ],
  ['of all hosts invalidates all names', { projectId: null, name: null }, []],
  ['that is unknown invalidates all names', null, []],
])('in the cache of hosts, a change %s', (_, change, left) => {
  const { cache, cachedNames } = given()

  cache.forget(change)

  expect(cachedNames()).toEqual(left)
})

test('after a name has moved to another project, changes of the new project invalidate it, and changes of the old project do not', () => {
  const { cache, cachedNames } = given()
  cache.set('www.shop.test', owned(2))

  cache.forget({ projectId: 1, name: null })

  expect(cachedNames()).toContain('www.shop.test')
  cache.forget({ projectId: 2, name: null })
  expect(cachedNames()).not.toContain('www.shop.test')
})

test('after a change of an owned name, the cache still reports that the name had an owner until a query finds no owner', () => {
  const { cache } = given()

  cache.forget({ projectId: 1, name: 'www.shop.test' })

  expect(cache.wasOwned('www.shop.test')).toBe(true)
  cache.set('www.shop.test', null)
  expect(cache.wasOwned('www.shop.test')).toBe(false)
})

test('a flood of unknown names takes bounded memory and evicts no host', () => {
  const { cache } = given()

  for (let n = 0; n < 30_000; n++) cache.set(`unknown${n}.test`, null)

  const cachedNames = Array.from({ length: 30_000 }, (_, n) => cache.get(`unknown${n}.test`) === null)
  expect(cachedNames.indexOf(true)).toBe(20_000)
  expect(cachedNames.lastIndexOf(true)).toBe(29_999)
  expect(cache.get('www.shop.test')).toEqual(owned(1))
})

test('an unknown name that got an owner and is then evicted from the cache is no longer cached as unknown', () => {
  const { cache } = given()
  cache.set('unknown.test', owned(1))

  for (let n = 0; n < 20_000; n++) cache.set(`shop${n}.test`, owned(n))

  expect(cache.get('unknown.test')).toBeUndefined()
})

test('the most recently used hosts stay cached when there are too many', () => {
  const { cache } = given()

  for (let n = 0; n < 30_000; n++) cache.set(`shop${n}.test`, owned(n))

  const cachedNames = Array.from({ length: 30_000 }, (_, n) => cache.get(`shop${n}.test`)).filter(Boolean)
  expect(cachedNames).toHaveLength(20_000)
  expect(cache.get('www.shop.test')).toBeUndefined()
})

test.each([
  [{ projectId: 1, name: null }, 'www.shop.test', owned(1), true],
  [{ projectId: 2, name: null }, 'www.shop.test', owned(1), false],
  [{ projectId: 2, name: 'www.shop.test' }, 'www.shop.test', null, true],
  [{ projectId: 2, name: 'shop' }, 'shop.animals.test', null, true],
  [{ projectId: 2, name: 'sho' }, 'shop.animals.test', null, false],
  [null, 'www.shop.test', null, true],
])(
  'the change %j affects a running query for the host %s only if the change names this host or its project, or covers all hosts',
  (change, name, found, isConcerned) => {
    expect(concerns(change, name, found, 'animals.test')).toBe(isConcerned)
  },
)

test('a change of a project invalidates all its hosts, even after one of them was read again', () => {
  const { cache, cachedNames } = given()
  cache.set('www.shop.test', owned(1))

  cache.forget({ projectId: 1, name: null })

  expect(cachedNames()).toEqual(['www.zoo.test', 'unknown.test', 'next.animals.test'])
})

test('a change of a project does not make its hosts count as recently used, so unused hosts are still evicted first', () => {
  const { cache } = given()
  for (let n = 0; n < 19_997; n++) cache.set(`shop${n}.test`, owned(n + 10))
  cache.get('shop.animals.test')
  cache.forget({ projectId: 1, name: null })

  for (const more of ['one.test', 'two.test']) cache.set(more, owned(3))

  expect(['www.shop.test', 'www.zoo.test', 'shop.animals.test'].map(cache.wasOwned)).toEqual([
    false,
    false,
    true,
  ])
})
