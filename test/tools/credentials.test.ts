import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCredentials, writeCredentials } from '../../src/tools/credentials.ts'

test.each([
  ['that does not exist yet', null],
  ['that was readable by everyone', 0o644],
])('a credentials file %s is readable only by its owner once written', (_, mode) => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-credentials-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'credentials.json')
  if (mode !== null) writeFileSync(file, '{"apiKey":"as_old"}', { mode })
  const credentials = { url: 'http://localhost:4000', operatorKey: null, project: 'demo', apiKey: 'as_x' }

  writeCredentials(folder, credentials)

  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readCredentials(folder)).toEqual(credentials)
  expect(readdirSync(folder)).toEqual(['credentials.json'])
})

test('a draft with keys that a killed process has left is gone after the next write', () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-credentials-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    fs.renameSync = () => process.kill(process.pid, 'SIGKILL')
    syncBuiltinESMExports()
    const { writeCredentials } = await import('./src/tools/credentials.ts')
    writeCredentials(${JSON.stringify(folder)}, { operatorKey: null, project: 'demo', apiKey: 'as_killed' })`
  const killed = spawnSync(process.execPath, ['--input-type=module', '--eval', script])
  expect([killed.signal, readdirSync(folder)]).toEqual(['SIGKILL', [expect.stringMatching(/\.part$/)]])

  writeCredentials(folder, { operatorKey: null, project: 'demo', apiKey: 'as_new' })

  expect(readdirSync(folder)).toEqual(['credentials.json'])
})

test('the credentials file is replaced in one step, so no reader and no crash finds half of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-credentials-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'credentials.json')
  writeFileSync(file, 'old')
  const opened = openSync(file, 'r')
  onTestFinished(() => closeSync(opened))

  writeCredentials(folder, { operatorKey: null, project: 'demo', apiKey: 'as_new' })

  expect(readFileSync(opened, 'utf8')).toBe('old')
  expect(readCredentials(folder)).toMatchObject({ apiKey: 'as_new' })
})
