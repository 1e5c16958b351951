import { expect, test } from 'vitest'
import { invalidInput, StoreError } from '../../src/core/errors.ts'

test('a refusal does not find out where it was thrown, and a bug that comes after it does', () => {
  const refusals = [new StoreError('gone', 'Gone.'), invalidInput([{ field: 'name', message: 'is wrong' }])]
  const bug = new TypeError('x is not a function')

  for (const refusal of refusals) expect(refusal.stack).not.toContain('errors.test.ts')
  expect(bug.stack).toContain('errors.test.ts')
})
