import { createServer } from 'node:https'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { alerts, openHandshakeAlerts } from '../../src/hosting/handshake-alerts.ts'

test('a rejected handshake ends without an alert if the client has already left', () => {
  const { follow, refuse } = openHandshakeAlerts()
  const server = createServer().removeAllListeners('connection')
  let ended = 0
  server.on('connection', () => refuse(alerts.unrecognizedName, () => ended++))
  follow(server)

  server.emit('connection', new Socket().destroy())
  refuse(alerts.internalError, () => ended++)

  expect(ended).toBe(2)
})
