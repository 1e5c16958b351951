import { isatty } from 'node:tty'

/**
 * True if the terminal of this process was closed, which sends SIGHUP too. Nobody would see or end the process. Its
 * standard output is no terminal any more; that of a container with one still is.
 */
export const hasLostTerminal = () => process.stdout.isTTY && !isatty(process.stdout.fd)
