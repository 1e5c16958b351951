import { expect, test } from 'vitest'
import { invalidInput, StoreError } from '../../src/core/errors.ts'

test('a StoreError captures no stack trace, and an Error that is created afterwards does', () => {
  const refusals = [new StoreError('gone', 'Gone.'), invalidInput([{ field: 'name', message: 'is wrong' }])]
  const bug = new TypeError('x is not a function')

  for (const refusal of refusals) expect(refusal.stack).not.toContain('errors.test.ts')
  expect(bug.stack).toContain('errors.test.ts')
})
