import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readChosen } from '../mutate/chosen.ts'

test('all files that the bug lists in test/mutate/chosen name exist, and nine of ten bugs can still be put into the code', () => {
  const { bugs, outdated } = readChosen()

  expect(outdated.filter(line => line.endsWith(' is not there'))).toEqual([])
  expect(bugs.every(({ mutation, tests }) => existsSync(mutation.file) && tests.length > 0)).toBe(true)
  expect(outdated.length, outdated.join('\n')).toBeLessThan(bugs.length / 9)
})
