import { isatty } from 'node:tty'

/**
 * True if the terminal of this process was closed. SIGHUP alone does not prove a closed terminal: in a container with a
 * terminal, SIGHUP may come while the terminal is open. If the terminal was closed, the process should end at SIGHUP,
 * because no person would see or end the process.
 */
export const hasLostTerminal = () => process.stdout.isTTY && !isatty(process.stdout.fd)
