import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '../support/start-app.ts'

const run = promisify(execFile)

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

describe('a categoryId as a string', () => {
  it.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0', '7'])(
    'a categoryId that is sent as the string %s is stored exactly, and returned as a number',
    async digits => {
      const store = await app.makeProject()

      const added = await store.post('/v1/pets', { name: 'Max', categoryId: digits })

      expect(added.text).toContain(`"categoryId":${digits}}`)
      expect((await store.get('/v1/pets')).text).toContain(`"categoryId":${digits}}`)
    },
  )

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '-0',
    '01',
    '1.0',
    '1e3',
    '0x1',
    '1_000',
    '١',
    '9223372036854775808',
    'one',
  ])('a categoryId is refused unless it is in plain form: %j', async text => {
    const store = await app.makeProject()

    const refused = await store.post('/v1/pets', { name: 'Max', categoryId: text })

    expect([refused.status, refused.json]).toMatchObject([
      400,
      {
        code: 'invalid_input',
        details: [{ field: 'categoryId', message: expect.stringContaining('or the string of its digits') }],
      },
    ])
  })

  it('a repeated creation may send the categoryId as a number instead of a string under the same Idempotency-Key', async () => {
    const store = await app.makeProject()
    const key = { 'idempotency-key': 'k' }

    const byText = await store.post('/v1/pets', '{"name":"Max","categoryId":"9007199254740993"}', key)
    const byNumber = await store.post('/v1/pets', '{"name":"Max","categoryId":9007199254740993}', key)

    expect([byNumber.status, byNumber.text]).toEqual([201, byText.text])
  })
})

it('the ten lines of docs/numbers.md compile in strict mode, and write and read 9007199254740993', async () => {
  const { secret } = await app.makeProject()
  const lines = /^```ts\n([\s\S]*?)^```/m.exec(readFileSync('docs/numbers.md', 'utf8'))?.[1] ?? ''
  const program = lines.replace('http://localhost:4000', app.url).replace('as_...', secret)
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-numbers-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'numbers.ts'), program)
    const options = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node']
    const roots = ['--typeRoots', resolve('node_modules/@types'), '--outDir', folder]
    const compiler = resolve('node_modules/typescript/bin/tsc')
    await run(process.execPath, [compiler, ...options, ...roots, 'numbers.ts'], { cwd: folder })

    const { stdout } = await run(process.execPath, ['numbers.js'], { cwd: folder })

    expect(lines.trim().split('\n').filter(Boolean)).toHaveLength(10)
    expect(stdout).toBe('9007199254740993n\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)
