import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DnsLook } from '../../src/core/hosts/dns-verdict.ts'
import type { CaaVerdict } from '../../src/hosting/caa.ts'
import { findProgram, recordUse } from './programs.ts'

/** Zones by name. Each is a list of lines of a zone file, with names relative to the zone. */
export type Zones = Record<string, string[]>

/** A private Internet: servers, their addresses and their zones. */
export type World = {
  /** Knot DNS servers. Each answers for its zones at all of its addresses. */
  knots: { addresses: string[]; zones: Zones }[]
  /** Addresses of faulty servers, and the fault of each. */
  odd: Record<string, OddServer>
  /** Zones that are not signed by the key that Unbound expects. */
  bogus: string[]
}

/** `lines` are records as `name type value`. Answers are authoritative unless `how` says otherwise. */
export type OddServer = { how: OddBehaviour; lines: string[] }
export type OddBehaviour =
  | 'silent'
  | 'refused'
  | 'servfail'
  | 'not authoritative'
  | 'rejects EDNS'
  | 'answers over TCP only'
  | 'upper-cases names'
  | 'plain'

export type WorldQuestion =
  | { kind: 'name'; name: string; target: string; platformAddresses?: string[] }
  | { kind: 'caa'; name: string; identities: string[]; accountUrl: string | null }
export type WorldAnswer = { look?: DnsLook; caa?: CaaVerdict; ms: number }

/** Returns why the real name servers cannot run here; null if they can. */
export async function whyNoWorld(): Promise<string | null> {
  const missing = ['knotd', 'unbound', 'unshare', 'ip'].filter(program => findProgram(program) === null)
  if (missing.length > 0) return `${missing.join(', ')} not installed`
  const { code } = await inNamespace(['ip', 'link', 'set', 'lo', 'up'])
  return code === 0 ? null : 'this machine grants no network namespace'
}

/** Starts Knot and Unbound in a network namespace, and runs our DNS code there. */
export async function askInWorld(world: World, questions: WorldQuestion[]): Promise<WorldAnswer[]> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-dns-'))
  for (const program of ['knotd', 'unbound']) recordUse(program)
  try {
    const inside = join(import.meta.dirname, 'dns-world-inside.ts')
    const command = [process.execPath, '--disable-warning=ExperimentalWarning', inside]
    const input = JSON.stringify({
      folder,
      world,
      questions,
      knotd: findProgram('knotd'),
      unbound: findProgram('unbound'),
    })
    const { code, output, errors } = await inNamespace(command, input)
    if (code !== 0) throw new Error(`The name servers failed (${code}): ${errors}`)
    return JSON.parse(output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** With `--kill-child`, the servers always end with this process. */
function inNamespace(command: string[], input = '') {
  return new Promise<{ code: number | null; output: string; errors: string }>(resolve => {
    const namespace = ['--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child']
    const child = spawn('unshare', [...namespace, ...command], { stdio: 'pipe' })
    let [output, errors] = ['', '']
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      errors += chunk
    })
    child.on('error', error => resolve({ code: -1, output, errors: String(error) }))
    child.on('close', code => resolve({ code, output, errors }))
    // A command that does not read its input can end before the input is written. Its exit code says how it ended.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
