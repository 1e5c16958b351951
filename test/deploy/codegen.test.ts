import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generate } from '../../codegen.ts'

test('every generated file matches openapi.yaml and schema.graphql', async () => {
  const outdated = Object.entries(await generate()).flatMap(([file, text]) =>
    existsSync(file) && readFileSync(file, 'utf8') === text ? [] : [file],
  )

  expect(outdated, 'run npm run codegen').toEqual([])
})
