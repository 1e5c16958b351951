// Helpers that the measurements of writes share.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

type Send = (method: string, path: string, body: string, type?: string) => Promise<void>

/** Sends writes to a process, and throws if one is refused. */
export function openSender(port: number, authorization: string): Send {
  return async (method, path, body, type = 'application/json') => {
    const headers = { authorization, 'content-type': type }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body, headers })
    if (!answer.ok) throw new Error(`${method} ${path} got ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
}

export const importOf = (send: Send, pets: number) => {
  const lines = Array.from({ length: pets }, (_, n) => `{"name":"Bella ${n}","categoryId":1}`)
  return send('POST', '/v1/pets/import', lines.join('\n'), 'application/x-ndjson')
}

/** Returns the number of bytes that PostgreSQL has written to the WAL since the beginning of the WAL. */
export async function walPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ at: string }>(
    `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at`,
  )
  return Number(rows[0]?.at)
}

/**
 * Waits until all events have their numbers. The background job that numbers the events also writes to the database,
 * and a measurement must include the writes of the job.
 */
export async function untilNumbered(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ waiting: boolean }>('select exists (select from told) as waiting')
    if (!rows[0]?.waiting) return
    await pause(50)
  }
}
