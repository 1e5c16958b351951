import { execFile } from 'node:child_process'

export type SecureAnswer = {
  /** True if the client resumed its saved session; false after a full handshake. */
  resumed: boolean
  /** The HTTP answer's status; null if the server closed the connection without an answer. */
  status: number | null
  /** The name of the alert that refused the handshake. */
  alert: string | null
  /** The subject of the server's certificate. */
  certificate: string | null
}

type Way = {
  port: number
  /** The name that the client sends in SNI, and in the Host header unless `host` is given. */
  name: string
  host?: string
  version: 'tls1_2' | 'tls1_3'
  /** Save the session to this file, or resume the session in it. */
  save?: string
  resume?: string
}

/** Sends one request with the command openssl, which resumes sessions as other clients do, unlike Node.js. */
export function askByOpenssl({ port, name, host = name, version, save, resume }: Way): Promise<SecureAnswer> {
  const session = [...(save ? ['-sess_out', save] : []), ...(resume ? ['-sess_in', resume] : [])]
  const args = ['-connect', `127.0.0.1:${port}`, '-servername', name, `-${version}`, '-ign_eof', ...session]
  return new Promise(resolve => {
    const client = execFile('openssl', ['s_client', ...args], { timeout: 30_000 }, (_, out, errors) =>
      resolve({
        resumed: /^Reused,/m.test(out),
        status: Number(/^HTTP\/1\.1 (\d+)/m.exec(out)?.[1]) || null,
        alert: /tlsv1 alert ([a-z ]+)|tlsv1 (unrecognized name)/.exec(errors)?.slice(1).find(Boolean) ?? null,
        certificate: /^(-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----)/ms.exec(out)?.[1] ?? null,
      }),
    )
    client.stdin?.on('error', () => {})
    client.stdin?.end(`GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  })
}
