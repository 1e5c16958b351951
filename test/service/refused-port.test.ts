import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { freshFolder } from '../support/databases.ts'
import { freePort } from '../support/programs.ts'

test('a start whose port is in use names the port and releases its other ports and its database', async () => {
  const { env, remove } = await freshFolder()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => {
    other.close()
    return remove()
  })
  const taken = String((other.address() as AddressInfo).port)
  const free = {
    PORT: String(await freePort()),
    HTTPS_PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
  }
  const start = async (ports: object) => {
    const service = await startService(readConfig({ ...free, ...ports, ...env, LOG_LEVEL: 'silent' }))
    await service.up
    return service
  }

  for (const variable of ['PORT', 'HTTPS_PORT', 'OPS_PORT']) {
    await expect(start({ [variable]: taken })).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${taken}: another program listens there already. Choose another port: ${variable}=`,
    )
  }

  const service = await start({})
  const askAll = () =>
    Promise.all(
      Object.values(free).map(port =>
        fetch(`http://127.0.0.1:${port}/metrics`).then(
          ({ status }) => status,
          fault => fault.cause.code,
        ),
      ),
    )
  const answers = await askAll()
  const ready = await fetch(`http://127.0.0.1:${free.PORT}/readyz`)
  await service.stop()

  expect(ready.status).toBe(200)
  // The HTTPS port rejects plain HTTP.
  expect(answers).toEqual([404, expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET)$/), 200])
  expect(await askAll()).toEqual(Array(3).fill('ECONNREFUSED'))
})
