import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { storedKeys } from '../../src/hosting/secrets-key.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'

const theirs = Buffer.alloc(32, 1).toString('base64')

function given(text: string | null = null) {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secrets.key')
  if (text !== null) writeFileSync(file, text)
  const reported: string[] = []
  return { folder, file, reported, keys: storedKeys(folder, one => reported.push(one)) }
}

/** Replaces a function of the file system for this test. */
function replace<Name extends 'linkSync' | 'readFileSync'>(name: Name, act: (typeof fs)[Name]): void {
  const { [name]: before } = fs
  const put = (one: (typeof fs)[Name]) => {
    fs[name] = one
    syncBuiltinESMExports()
  }
  onTestFinished(() => put(before))
  put(act)
}

/** Simulates another process that writes its key just before ours. */
function letAnotherMake(text: string): void {
  const { linkSync } = fs
  replace('linkSync', (from, to) => {
    writeFileSync(to, text)
    linkSync(from, to)
  })
}

test('a new key file is readable by its owner only, keep() reports its path, and forget() deletes it', () => {
  const { folder, file, reported, keys } = given()

  const made = keys.readOrMake()
  expect(readdirSync(folder)).toEqual(['secrets.key'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(keys.read()).toEqual([Buffer.from(readFileSync(file, 'utf8'), 'base64')])
  made.keep()
  expect(reported).toEqual([file])

  made.forget()
  expect(keys.read()).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

test('a key file that another process creates at the same time is used by both processes and not deleted', () => {
  const { folder, file, reported, keys } = given()
  letAnotherMake(theirs)

  const made = keys.readOrMake()
  expect(keys.read()).toEqual([Buffer.alloc(32, 1)])
  made.keep()
  made.forget()

  expect(reported).toEqual([])
  expect(readdirSync(folder)).toEqual(['secrets.key'])
  expect(readFileSync(file, 'utf8')).toBe(theirs)
})

test.each([theirs, `${theirs}\n`])('an existing key is read: %j', text => {
  const { file, reported, keys } = given(text)

  expect(keys.read()).toEqual([Buffer.alloc(32, 1)])
  keys.readOrMake().forget()

  expect([existsSync(file), reported]).toEqual([true, []])
})

test.each([
  ['empty', ''],
  ['cut short', theirs.slice(0, 40)],
  ['in hexadecimal', '01'.repeat(32)],
  ['a sentence', 'not the key that was here'],
])('a file whose key is %s is reported as damaged and not replaced', (_, text) => {
  const { file, keys } = given(text)

  for (const ask of [keys.read, keys.readOrMake, keys.read]) {
    expect(ask).toThrow(StartRefused)
    expect(ask).toThrow(`${file} is damaged`)
  }
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('if DATA_DIR is a file instead of a folder, the service finds no stored secrets keys and throws no error', () => {
  const { file } = given('a file and no folder')

  expect(storedKeys(file, () => {}).read()).toEqual([])
})

test('a key that another user owns is reported in a sentence and not replaced', () => {
  const { folder, keys } = given(theirs)
  replace('readFileSync', (() => {
    throw Object.assign(new Error('permission denied'), { code: 'EACCES' })
  }) as never)

  for (const ask of [keys.read, keys.readOrMake])
    expect(ask).toThrow(`DATA_DIR ${folder} cannot be used: it belongs to another user`)
})

test('the folder of the key is accessible to its owner only', () => {
  const { folder } = given()
  const dataDir = join(folder, 'var', 'data')

  storedKeys(dataDir, () => {}).readOrMake()

  expect(readdirSync(dataDir)).toEqual(['secrets.key'])
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
})

test('if the disk rejects a new key, the error is thrown, no file is left, and the next call tries again', () => {
  const { folder, file, keys } = given()
  const { linkSync } = fs
  let isFull = true
  replace('linkSync', (from, to) => {
    if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    linkSync(from, to)
  })

  expect(keys.readOrMake).toThrow('no space left')
  expect([readdirSync(folder), keys.read()]).toEqual([[], []])
  isFull = false
  keys.readOrMake()

  expect(keys.read()).toEqual([Buffer.from(readFileSync(file, 'utf8'), 'base64')])
})
