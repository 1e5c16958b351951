import type { Logger } from './log.ts'

export type MailServer = { url: string; from: string }
export type Message = { to: string; subject: string; text: string }

/**
 * Sends plain text. Returns false if the server refuses the message, or if `until` is aborted before the server
 * answers.
 */
export type Mail = { send(message: Message, until?: AbortSignal): Promise<boolean> }

const stepMs = 5000
const longestMs = 10_000

/**
 * All messages of a request share a deadline: a server that answers each step just in time, or not at all, must not hold
 * the request for long.
 */
export const mailDeadline = () => AbortSignal.timeout(longestMs)

/** Null: the service has no mail server. */
export function openMail(server: MailServer | null, log: Logger): Mail | null {
  if (!server) return null
  return {
    async send({ to, subject, text }, until = mailDeadline()) {
      const { url, from } = server
      try {
        const transport = await openTransport(url)
        await transport.sendMail({
          // Pass name and address as parts: the library then parses no address, and a comma cannot add another
          // recipient.
          from: { name: '', address: from },
          to: { name: '', address: to },
          ...{ subject, text },
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...{ disableFileAccess: true, disableUrlAccess: true },
          signal: until,
        })
        return true
      } catch (error) {
        // Do not log the error itself: a server repeats the address in its answer, and the log holds no personal data.
        const { code, originalCode: cause, command, responseCode } = error as Record<string, unknown>
        log.warn({ code, cause, command, responseCode }, 'a message could not be mailed')
        return false
      }
    },
  }
}

/**
 * Opens the connection for each message, so that a changed secret takes effect with the next one. Most services never
 * load the library.
 */
async function openTransport(url: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    // Requires TLS: the link in a message is a secret, and so is the server's password.
    requireTLS: !isLoopback(new URL(url).hostname),
    ...{ dnsTimeout: stepMs, connectionTimeout: stepMs, greetingTimeout: stepMs, socketTimeout: stepMs },
  })
}

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host)
