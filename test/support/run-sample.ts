import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Language } from '../../src/reference/samples.ts'
import { findProgram } from './programs.ts'

const run = promisify(execFile)

/** Makes a folder in which samples run; the typed client is installed in it. */
export async function makeSampleFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-samples-'))
  const client = join(folder, 'node_modules/@animal-store/client')
  mkdirSync(client, { recursive: true })
  await run('npx', ['tsc', '-p', 'clients/typescript', '--outDir', join(client, 'dist')])
  symlinkSync(resolve('clients/typescript/package.json'), join(client, 'package.json'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const programs: Partial<Record<Language, readonly [string, string]>> = {
  curl: ['bash', 'sample.sh'],
  JavaScript: [process.execPath, 'sample.js'],
  TypeScript: [process.execPath, 'sample.ts'],
  Python: [findProgram('python3') ?? 'python3', 'sample.py'],
  PHP: [findProgram('php') ?? 'php', 'sample.php'],
  Ruby: [findProgram('ruby') ?? 'ruby', 'sample.rb'],
}

/** Runs a sample in the folder, and returns what it prints. Rejects if it fails. */
export async function runSample(
  folder: string,
  language: Language,
  code: string,
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<string> {
  const [program, file] = programs[language] ?? []
  if (!program || !file) throw new Error(`no program runs ${language}`)
  writeFileSync(join(folder, file), code)
  const child = spawn(program, [file], { cwd: folder, env: { ...process.env, ...env } })
  const ended = new Promise<number | null>((done, failed) => child.on('close', done).on('error', failed))
  child.stdin.on('error', () => {}).end(input)
  const [printed, errors, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (exitCode !== 0) throw new Error(`${language} ended with ${exitCode}: ${errors}\n${printed}`)
  return printed
}
