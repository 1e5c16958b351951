import { once } from 'node:events'
import type { Server } from 'node:http'
import { StartRefused } from '../tools/start-refused.ts'

/** `variable` is the setting that names the port. */
export async function listen(server: Server, variable: string, port: number, host: string): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch(fault => {
    const reason =
      fault.code === 'EADDRINUSE'
        ? `another program listens there already. Choose another port: ${variable}=${port + 1} npm start`
        : `${fault.message}.`
    throw new StartRefused(`Cannot listen on ${host}:${port}: ${reason}`)
  })
}
