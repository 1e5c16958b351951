import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'
import { run } from '../../src/cli/run.ts'
import type { Run } from './command-line.ts'
import { standIn } from './stand-in.ts'

/**
 * Runs the command line inside the test's process, without a terminal. A call in this process is faster than the start
 * of a new process.
 */
export async function runHere(env: Record<string, string>, args: string[]): Promise<Run> {
  const written = { output: '', errors: '' }
  const writeTo = (which: 'output' | 'errors') => (text: string | Uint8Array) => {
    written[which] += typeof text === 'string' ? text : Buffer.from(text).toString()
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(writeTo('output')),
    vi.spyOn(process.stderr, 'write').mockImplementation(writeTo('errors')),
  ]
  try {
    return { exitCode: await run(args, { HOME: '/nonexistent', ...env }, process.stdout), ...written }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

export type StubAnswer = { json?: unknown; status?: number; headers?: Record<string, string>; text?: string }

/** A successful GraphQL answer. */
export const data = (json: object): StubAnswer => ({ json: { data: json } })

/**
 * Runs the command against a service that gives these answers in order. The folder of stored keys contains an owner's
 * key and an operator's key. Also returns the requests, with the key of each.
 */
export async function runWithAnswers(args: string | string[], answers: StubAnswer[]) {
  const received: unknown[] = []
  const headers: IncomingHttpHeaders[] = []
  const url = await standIn(async (request, response) => {
    const who = request.headers.authorization?.replace('Bearer as_', '')
    const body = await text(request)
    received.push(request.url === '/graphql' ? [who, ...operationOf(body)] : [who, ...restOf(request, body)])
    headers.push(request.headers)
    const { status = 200, json, text: plain, ...answer } = answers[received.length - 1] ?? { status: 500 }
    response.writeHead(status, { 'content-type': 'application/json', ...answer.headers })
    response.end(plain ?? JSON.stringify(json))
  })
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const keys = { url, apiKey: 'as_owner', operatorKey: 'as_operator' }
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(keys))
  const ended = await runHere({ DATA_DIR: folder }, typeof args === 'string' ? args.split(' ') : args)
  return { ...ended, received, headers, url, cells: cellsOf(ended.output) }
}

function operationOf(body: string): unknown[] {
  const { query, variables } = JSON.parse(body)
  return [/(?:query|mutation) (\w+)/.exec(query)?.[1], variables]
}

function restOf({ method, url, headers }: IncomingMessage, body: string): unknown[] {
  const isJson = headers['content-type']?.includes('json') && !headers['content-type'].includes('ndjson')
  return [`${method} ${decodeURIComponent(url ?? '')}`, ...(body ? [isJson ? JSON.parse(body) : body] : [])]
}

/** Returns the cells of each line, without empty lines. */
const cellsOf = (output: string) =>
  output
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => line.trim().split(/ {2,}/))
