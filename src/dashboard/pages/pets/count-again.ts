import type { Client } from 'urql'
import { InventoryDocument } from '../../generated/graphql.ts'
import { changedWith } from '../overview/inventory.tsx'

/**
 * Counts the pets again if the cache has a count. By itself the cache drops the count only after a mutation whose answer
 * it sees, and not after an import or a series of mutations that broke off.
 */
export function countAgain(client: Client): void {
  const counted = client.readQuery(InventoryDocument, {}, { requestPolicy: 'cache-only' })
  if (!counted?.data) return
  void client.query(InventoryDocument, {}, { ...changedWith, requestPolicy: 'network-only' }).toPromise()
}
