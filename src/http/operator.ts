import { timingSafeEqual } from 'node:crypto'
import { hashSecret } from '../core/secrets.ts'
import type { Tools } from '../tools.ts'

export function isOperatorKey({ operatorKey }: Tools, secret: string): boolean {
  return operatorKey !== null && timingSafeEqual(hashSecret(secret), hashSecret(operatorKey))
}
