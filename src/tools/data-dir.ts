import { StartRefused } from './start-refused.ts'

const reasons: Record<string, string> = {
  EACCES: 'it belongs to another user, or is not writable',
  EPERM: 'it belongs to another user, or is not writable',
  EROFS: 'its disk is read-only',
  // Node.js' code for a folder that cannot be created.
  ENOENT: 'the folder cannot be created',
  ENOTDIR: 'it is a file, not a folder',
  EEXIST: 'it is a file, not a folder',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
}

/** Codes of SQLite, which is used as the lock. */
const reasonsOfLock = new Map([
  [8, 'it is not writable'],
  [10, 'its disk fails'],
  [13, 'its disk is full'],
  [14, 'it belongs to another user, or is not writable'],
  [26, 'its lock.sqlite is damaged; delete it while no process uses the folder'],
])

/**
 * Turns an error of the folder into one sentence about what the operator must repair. Returns an unknown error
 * unchanged.
 */
export function refusalOfDataDir(dataDir: string, fault: unknown): unknown {
  if (!(fault instanceof Error) || fault instanceof StartRefused) return fault
  const { code = '', errcode = 0 } = fault as { code?: string; errcode?: number }
  const reason = reasons[code] ?? reasonsOfLock.get(errcode)
  if (!reason) return fault
  return new StartRefused(`DATA_DIR ${dataDir} cannot be used: ${reason}.`, { cause: fault })
}
