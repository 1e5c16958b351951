import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'

/** A stream that pg.Client uses like a socket. The stream sends bytes that were written together as one message. */
export function portStream(open: () => Promise<MessagePort>): Duplex {
  let port: MessagePort | null = null

  const stream = new Duplex({
    read() {},
    writev(chunks, done) {
      const message = new Uint8Array(chunks.reduce((bytes, { chunk }) => bytes + chunk.length, 0))
      let at = 0
      for (const { chunk } of chunks) {
        message.set(chunk, at)
        at += chunk.length
      }
      port?.postMessage(message, [message.buffer])
      done()
    },
    final(done) {
      stream.push(null)
      done()
    },
    destroy(error, done) {
      port?.close()
      done(error)
    },
  })

  function begin(opened: MessagePort): void {
    port = opened
    if (stream.destroyed) port.close()
    port.on('message', (answer: Uint8Array) => stream.push(answer))
    stream.emit('connect')
  }

  return Object.assign(stream, {
    connect: () => void open().then(begin, error => stream.destroy(error)),
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => port?.ref(),
    unref: () => port?.unref(),
  })
}
