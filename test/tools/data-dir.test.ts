import { expect, test } from 'vitest'
import { refusalOfDataDir } from '../../src/tools/data-dir.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'

const foreign = 'it belongs to another user, or is not writable'

test.each([
  [{ code: 'EACCES' }, foreign],
  [{ code: 'EPERM' }, foreign],
  [{ code: 'EROFS' }, 'its disk is read-only'],
  [{ code: 'ENOENT' }, 'the folder cannot be created'],
  [{ code: 'ENOTDIR' }, 'it is a file, not a folder'],
  [{ code: 'EEXIST' }, 'it is a file, not a folder'],
  [{ code: 'ENOSPC' }, 'its disk is full'],
  [{ code: 'EDQUOT' }, 'its disk is full'],
  // Codes of SQLite: read-only, I/O error, full, cannot open.
  [{ code: 'ERR_SQLITE_ERROR', errcode: 8 }, 'it is not writable'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 10 }, 'its disk fails'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'its disk is full'],
  [{ code: 'ERR_SQLITE_ERROR', errcode: 14 }, foreign],
])('a fault of the disk, %j, is explained in one sentence', (found, reason) => {
  const refusal = refusalOfDataDir('/data', Object.assign(new Error('as the system has it'), found))

  expect(refusal).toBeInstanceOf(StartRefused)
  expect(refusal).toMatchObject({ message: `DATA_DIR /data cannot be used: ${reason}.` })
})

test('an error that is no fault of the disk is returned unchanged', () => {
  for (const fault of [new Error('a bug'), new StartRefused('No port.'), 'a text', null]) {
    expect(refusalOfDataDir('/data', fault)).toBe(fault)
  }
})
