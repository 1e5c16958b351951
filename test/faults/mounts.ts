import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns why no small disk can be mounted here; null if one can. */
export function withoutMounts(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder], { stdio: 'pipe' })
    execFileSync('umount', [folder])
    return null
  } catch {
    return 'needs root, to mount a small disk'
  } finally {
    rmSync(folder, { recursive: true })
  }
}
