// wrk generates the load. It is far cheaper than any contestant on the same machine, and its histogram has the latency
// of every answer to the microsecond, so p50 and p99 are exact.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Request } from './clients.ts'
import { toWire } from './wire.ts'

export type Load = {
  port: number
  requests: Request[]
  seconds: number
  connections: number
  /** Milliseconds that each connection waits before each request. */
  pauseMs?: number
  folder: string
}
export type Drive = {
  requests: number
  microseconds: number
  p50: number
  p99: number
  max: number
  refusals: number
  failures: number
}

let drives = 0

export async function drive(load: Load): Promise<Drive> {
  const file = join(load.folder, `requests-${++drives}`)
  const texts = load.requests.map(request => toWire(request, load.port))
  writeFileSync(file, texts.map(text => `${Buffer.byteLength(text)}\n${text}`).join(''))
  const { stdout } = await promisify(execFile)('wrk', [
    ...['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--timeout', '10s'],
    ...['-s', join(import.meta.dirname, 'drive.lua'), `http://127.0.0.1:${load.port}`, '--', file],
    String(load.pauseMs ?? 0),
  ])
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}
