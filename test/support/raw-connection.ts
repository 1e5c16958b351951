import { connect, type Socket } from 'node:net'

export type RawAnswerPart = { status: number; headers: Headers; body: string }

/** A connection on which a test sends raw bytes and reads everything that comes back. */
export type RawConnection = {
  socket: Socket
  /** Resolves after this many answers, including interim ones, or when the service closes the connection. */
  answers(enough?: number): Promise<RawAnswerPart[]>
  ended: Promise<void>
}

export async function openRawConnection(url: string, { allowHalfOpen = false } = {}): Promise<RawConnection> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen })
  let received = ''
  let ended = false
  let notice = () => {}
  socket.on('data', chunk => {
    received += chunk.toString('latin1')
    notice()
  })
  const end = new Promise<void>(resolve => {
    socket.on('close', () => {
      ended = true
      notice()
      resolve()
    })
  })
  // The service may close the connection while the client is still sending.
  socket.on('error', () => {})
  await new Promise(resolve => socket.once('connect', resolve))
  return {
    socket,
    ended: end,
    answers: (enough = Infinity) =>
      new Promise(resolve => {
        notice = () => {
          const answers = readAnswers(received)
          if (ended || answers.length >= enough) resolve(answers)
        }
        notice()
      }),
  }
}

function readAnswers(bytes: string): RawAnswerPart[] {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return []
  const [statusLine = '', ...lines] = bytes.slice(0, headEnd).split('\r\n')
  const headers = new Headers(
    lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const rest = bytes.slice(headEnd + 4)
  const length = Number(headers.get('content-length') ?? 0)
  if (rest.length < length) return []
  const status = Number(/^HTTP\/1\.1 (\d+) /.exec(statusLine)?.[1])
  return [{ status, headers, body: rest.slice(0, length) }, ...readAnswers(rest.slice(length))]
}
