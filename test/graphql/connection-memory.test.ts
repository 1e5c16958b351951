import { expect, test } from 'vitest'
import { toPage } from '../../src/core/pages.ts'
import type { Project } from '../../src/core/project.ts'
import { connectionOf } from '../../src/graphql/connection.ts'
import { oldBytesPerCall } from '../support/garbage.ts'

const project = { id: 1 } as Project
const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: BigInt(n), name: `item ${n}` }))

test('an answered page leaves the memory without a full garbage collection, with its edges and cursors', async () => {
  const read = () => {
    const { items, nextCursor } = toPage('orders', project, { limit: 100, after: null }, itemsOf(101))
    const place = { hasNextPage: nextCursor !== null, hasPreviousPage: false }
    const { edges, pageInfo } = connectionOf(items, place, ({ name }) => name)
    return [edges.map(({ cursor }) => cursor), pageInfo.startCursor, pageInfo.endCursor]
  }

  console.log(await oldBytesPerCall(1000, read))
  expect(await oldBytesPerCall(1000, read)).toBeLessThan(5000)
})
