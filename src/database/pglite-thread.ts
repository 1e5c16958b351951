import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import type { ThreadData } from './postgres-thread.ts'

/**
 * The thread of the embedded database. For each new connection, the thread receives a MessagePort, on which it answers
 * the messages of PostgreSQL's protocol. If the thread receives null instead of a port, it closes the database. PGlite
 * has only one session, which each new connection takes over.
 */
const { folder, settings, mostAnswerBytes } = workerData as ThreadData
const database = await PGlite.create(folder, {
  startParams: [...PGlite.defaultStartParams, ...settings.flatMap(setting => ['-c', setting])],
})

let connection: MessagePort | null = null
let turn = Promise.resolve()

/** Runs one task at a time. A failed task ends the thread, because the state of PGlite is then unknown. */
function inTurn(run: () => Promise<void>): void {
  turn = turn.then(run)
}

async function takeOver(port: MessagePort): Promise<void> {
  connection?.close()
  connection = port
  await database.exec('ROLLBACK')
  await database.exec('DISCARD ALL')
  port.on('message', (message: Uint8Array) => inTurn(() => answer(port, message)))
}

async function answer(port: MessagePort, message: Uint8Array): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  await database.execProtocolRawStream(message, {
    onRawData(part) {
      bytes += part.length
      if (bytes > mostAnswerBytes)
        throw new Error(`The rows of one statement have more than ${mostAnswerBytes} bytes.`)
      // Copy the part, because PGlite reuses its memory.
      parts.push(new Uint8Array(part))
    },
  })
  const whole = join(parts, bytes)
  port.postMessage(whole, [whole.buffer])
}

function join(parts: Uint8Array<ArrayBuffer>[], bytes: number): Uint8Array<ArrayBuffer> {
  if (parts.length === 1 && parts[0]) return parts[0]
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

async function close(): Promise<void> {
  await database.close()
  connection?.close()
  parentPort?.close()
}

parentPort?.on('message', (port: MessagePort | null) => inTurn(() => (port ? takeOver(port) : close())))
parentPort?.postMessage('open')
