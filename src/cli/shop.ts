import type { Command } from 'commander'
import { type Connection, type Environment, findConnection } from './connection.ts'

/** What every command works with: the way to the service and to the person or program who asked. */
export type Shop = {
  connect(role: 'owner' | 'operator'): Connection
  /** Prints the text for people, or the data for programs. */
  tell(command: Command, data: unknown, text: string): void
}

export function openShop(env: Environment, write: (text: string) => void): Shop {
  return {
    connect: role => findConnection(env, role),
    tell(command, data, text) {
      const wantsJson = command.optsWithGlobals().json === true
      write(`${wantsJson ? JSON.stringify(data, null, 2) : text}\n`)
    },
  }
}
