import { timingSafeEqual } from 'node:crypto'
import { hashSecret } from '../core/secrets.ts'
import type { Tools } from '../tools.ts'

/** The name of the operator with this key; null if the key is no operator's. */
export function findOperator({ operatorKeys }: Tools, secret: string): string | null {
  const hash = hashSecret(secret)
  return operatorKeys.find(({ key }) => timingSafeEqual(hash, hashSecret(key)))?.name ?? null
}
