import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Bugs are put into a copy, so that a run that is cut off leaves none in the project. */
export function copyProject(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-mutate-'))
  // Tests that start the service as another user notice every bug where that one may not read it.
  chmodSync(folder, 0o755)
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  for (const file of [...files.trim().split('\n'), ...globSync('{src,clients,test}/**/generated/'), 'dist']) {
    if (!existsSync(file)) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(file, join(folder, file), { recursive: true })
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
