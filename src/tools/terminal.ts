import { isatty } from 'node:tty'

/**
 * True if the terminal of this process was closed. Closing it also sends SIGHUP, and the process should then end,
 * because no person would see or end it. In a container with a terminal, SIGHUP may come while the terminal is still
 * open.
 */
export const hasLostTerminal = () => process.stdout.isTTY && !isatty(process.stdout.fd)
