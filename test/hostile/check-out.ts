import { execFileSync } from 'node:child_process'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Checks out another revision into a new folder, with the packages that are installed here. */
export function checkOut(revision: string): { source: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-base-'))
  const git = (...args: string[]) => execFileSync('git', args, { stdio: 'pipe' })
  git('worktree', 'add', '--force', '--detach', folder, revision)
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  execFileSync('npm', ['run', 'prepare'], { cwd: folder, stdio: 'pipe' })
  return { source: join(folder, 'src'), remove: () => git('worktree', 'remove', '--force', folder) }
}
