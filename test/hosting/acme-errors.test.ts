import { expect, test } from 'vitest'
import { refusalIn } from '../../src/hosting/acme-errors.ts'

const says = (detail: unknown) =>
  refusalIn({ status: 403, headers: {}, data: { type: 'urn:ietf:params:acme:error:caa', detail } }, 0)
    ?.message

test('what the authority says is shown as one short line, whatever it sends', () => {
  expect(says('CAA\r\n\u0007 forbids\u202e it\u0000')).toBe(
    'The certificate authority refused: CAA forbids it',
  )
  expect(says('x'.repeat(100_000))?.length).toBeLessThan(600)
  expect(says({ not: 'text' })).toBe('The certificate authority refused: it answered 403')
})
