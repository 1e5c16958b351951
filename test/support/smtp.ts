import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'

/** `login` is what the client sent to sign in; null if nothing. */
export type Received = { login: string | null; from: string; to: string[]; data: string; isSecure: boolean }

/** A server with a certificate speaks TLS from the start (RFC 8314), or after STARTTLS (RFC 3207). */
export type SmtpTls = { way: 'at once' | 'STARTTLS'; certificate: string; key: string }

/** The fault that the server shows instead of accepting a message. */
export type Trouble =
  | 'refuses the recipient'
  | 'refuses the message'
  | 'hangs up'
  | 'says nothing'
  | 'never ends its greeting'

/** Starts a mail server (RFC 5321) that stores received messages. */
export async function startSmtp(host = '127.0.0.1', tls: SmtpTls | null = null) {
  const own = tls && { cert: readFileSync(tls.certificate), key: readFileSync(tls.key) }
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server = { trouble: null as Trouble | null, connections: 0, commands: [] as string[] }
  function accept(socket: Socket): void {
    server.connections++
    sockets.add(socket)
    converse(socket, true)
  }
  function converse(socket: Socket, isFirst: boolean): void {
    const isSecure = socket instanceof TLSSocket
    const nothing = (): Received => ({ login: null, from: '', to: [], data: '', isSecure })
    let trickle: NodeJS.Timeout | undefined
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(trickle)
      sockets.delete(socket)
    })
    const say = (line: string) => void socket.write(`${line}\r\n`)
    let message = nothing()
    let isData = false
    let rest = ''
    if (server.trouble === 'says nothing') return
    if (server.trouble === 'never ends its greeting') {
      trickle = setInterval(() => say('220-wait'), 200)
      return
    }
    if (isFirst) say('220 smtp.test ESMTP')
    socket.on('data', bytes => {
      const lines = (rest + bytes).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (isData) takeData(line)
        else take(line)
      }
    })
    const takeData = (line: string) => {
      if (line !== '.') {
        message.data += `${line.replace(/^\./, '')}\r\n`
        return
      }
      isData = false
      if (server.trouble === 'refuses the message') return say('554 no')
      received.push(message)
      message = nothing()
      say('250 taken')
    }
    const take = (line: string) => {
      server.commands.push(line)
      const [, address = ''] = /<([^>]*)>/.exec(line) ?? []
      const offersTls = own !== null && !isSecure
      if (/^EHLO/i.test(line))
        return say(`250-smtp.test\r\n${offersTls ? '250-STARTTLS\r\n' : ''}250 AUTH PLAIN`)
      if (/^STARTTLS/i.test(line) && offersTls) {
        say('220 go on')
        socket.removeAllListeners('data')
        return converse(new TLSSocket(socket, { ...own, isServer: true }), false)
      }
      if (/^AUTH PLAIN /i.test(line)) {
        message.login = Buffer.from(line.slice(11), 'base64').toString()
        return say('235 ok')
      }
      if (/^MAIL FROM:/i.test(line)) {
        message.from = address
        return say('250 ok')
      }
      if (/^RCPT TO:/i.test(line)) {
        if (server.trouble === 'hangs up') return void socket.destroy()
        if (server.trouble === 'refuses the recipient') return say(`550 <${address}> is unknown`)
        message.to.push(address)
        return say('250 ok')
      }
      if (/^DATA/i.test(line)) {
        isData = true
        return say('354 go on')
      }
      if (/^QUIT/i.test(line)) return void socket.end('221 bye\r\n')
      say('502 what?')
    }
  }
  const listener = own && tls?.way === 'at once' ? createTlsServer(own, accept) : createServer(accept)
  await new Promise<void>(resolve => listener.listen(0, host, resolve))
  const { port } = listener.address() as AddressInfo
  return Object.assign(server, {
    received,
    port,
    env: {
      SMTP_URL: `${tls?.way === 'at once' ? 'smtps' : 'smtp'}://${host}:${port}`,
      MAIL_FROM: 'store@store.example',
    },
    close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  })
}
