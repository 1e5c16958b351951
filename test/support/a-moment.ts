import { setTimeout as pause } from 'node:timers/promises'

const mostMs = 20

/**
 * The pause between two requests of a client that sends continuously. Without it, a few clients use both cores, and the
 * processes of a test take twice as long to start and to end. The length of the pause varies, so that a request can
 * arrive at any moment, and a connection is sometimes idle.
 */
export const aMoment = () => pause(Math.random() * mostMs)
