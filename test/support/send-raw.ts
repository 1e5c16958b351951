import { connect } from 'node:net'
import { checkAgainstContract } from './contract.ts'

/** `afterMs` counts from the connection, so that a slow connect does not matter. */
export type RawAnswer = { status: number; headers: Headers; body: string; afterMs: number }

/** Sends bytes that no HTTP client would send. Waits for one complete answer, and checks it against openapi.yaml. */
export async function sendRaw(url: string, bytes: string): Promise<RawAnswer> {
  const { answer, afterMs } = await new Promise<{ answer: string; afterMs: number }>((resolve, reject) => {
    let received = ''
    let sentAt = performance.now()
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      sentAt = performance.now()
      socket.write(bytes, 'latin1')
    })
    socket.setTimeout(15_000, () => socket.destroy())
    socket.on('data', chunk => {
      received += chunk
      if (/\r\n\r\n[\s\S]*\}$/.test(received)) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve({ answer: received, afterMs: performance.now() - sentAt }))
  })
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1.1 (\d+) /.exec(statusLine)?.[1] ?? 0)
  const headers = new Headers(
    lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const [method = '', path = ''] = bytes.split(' ')
  checkAgainstContract({ method, path }, { status, headers, body })
  return { status, headers, body, afterMs }
}
