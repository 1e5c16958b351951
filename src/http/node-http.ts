import type { IncomingMessage as Incoming, ServerResponse as Outgoing } from 'node:http'

/**
 * What node serves HTTP with. To import it as a module would load all of node's fetch as well, for a WebSocket that nobody
 * wants here: a twentieth of a start.
 */
export const { createServer, IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http')
export type IncomingMessage = Incoming
export type ServerResponse = Outgoing
