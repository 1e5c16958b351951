import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig, settingNames } from '../../src/config.ts'
import { secretFilesOf } from '../../src/tools/secret-files.ts'

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'secret'), text)
  return join(folder, 'secret')
}

test('each secret may be in a file', () => {
  const key = Buffer.alloc(32, 1)
  const url = 'postgresql://u:p@db/x'

  const config = readConfig({
    DATABASE_URL_FILE: fileWith(`${url}\n`),
    DATABASE_DIRECT_URL_FILE: fileWith(url),
    REDIS_URL_FILE: fileWith('redis://cache\n'),
    OPERATOR_KEY_FILE: fileWith('k'.repeat(32)),
    SECRETS_KEY_FILE: fileWith(key.toString('base64')),
  })

  expect(config).toMatchObject({
    databaseUrl: url,
    databaseDirectUrl: url,
    redisUrl: 'redis://cache',
    operatorKeys: [{ name: 'operator', key: 'k'.repeat(32) }],
  })
  expect(config.hosting.secretsKeys).toEqual([key])
})

test.each([
  [
    'both variables at once',
    { OPERATOR_KEY: 'k', OPERATOR_KEY_FILE: '/x' },
    'Either OPERATOR_KEY or OPERATOR_KEY_FILE may be set',
  ],
  ['a missing file', { REDIS_URL_FILE: '/absent' }, 'REDIS_URL_FILE cannot be read: ENOENT'],
  ['a wrong value', { REDIS_URL_FILE: 'http://cache' }, 'REDIS_URL must be a redis:// or rediss:// address'],
  ['an empty file', { SECRETS_KEY_FILE: '\n' }, 'SECRETS_KEY_FILE names an empty file'],
])('%s is refused with a sentence', (kind, env, sentence) => {
  const isText = kind === 'a wrong value' || kind === 'an empty file'
  const given = isText
    ? Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fileWith(text)]))
    : env

  expect(() => readConfig(given)).toThrow(sentence)
})

test('docs/operating.md lists each secret that may be in a file, and how to change it', () => {
  const files = Object.fromEntries(settingNames.map(name => [`${name}_FILE`, '/x']))
  const secrets = Object.keys(secretFilesOf(files)).toSorted()
  const guide = readFileSync('docs/operating.md', 'utf8')
  const namesIn = (text = '') => (text.match(/`[A-Z_]+`/g) ?? []).map(name => name.slice(1, -1)).toSorted()
  const list = /\*\*Secrets\.\*\*(.*?)can each be in a file/s.exec(guide)?.[1]
  const table = /^\| secret \|.*?\n\n/ms.exec(guide)?.[0] ?? ''
  const firstCells = table.split('\n').map(row => row.split('|')[1])

  expect(namesIn(list)).toEqual(secrets)
  expect(namesIn(firstCells.join())).toEqual(secrets)
})
