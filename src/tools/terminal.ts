import { isatty } from 'node:tty'

/**
 * True if the terminal of this process was closed, which also sends SIGHUP. The process should then end, because no
 * person would see or end it. The standard output is no longer a terminal then; in a container with a terminal it still
 * is one.
 */
export const hasLostTerminal = () => process.stdout.isTTY && !isatty(process.stdout.fd)
