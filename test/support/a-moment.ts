import { setTimeout as pause } from 'node:timers/promises'

const mostMs = 20

/**
 * A pause of a client that sends on and on. Without it, a few clients use both cores, and the processes whose start or
 * end they watch take twice as long. Its length varies, so that a request can fall into any moment, and a connection
 * is sometimes idle.
 */
export const aMoment = () => pause(Math.random() * mostMs)
