import type { Command } from 'commander'
import { type Asked, type Connection, findConnection, type Role } from './connection.ts'
import { printableOutput } from './printable.ts'
import type { Environment } from './profiles.ts'

/** What every command works with: the way to the service and to the person or program who asked. */
export type Shop = {
  env: Environment
  connect(role: Role): Connection
  /** The connection of a project's key, or the operator's where a project is named. */
  connectTo(options: { project?: string }): Connection
  /** Prints the text for people, or the data for programs. */
  tell(command: Command, data: unknown, text: string): void
}

export function openShop(env: Environment, asked: () => Asked, write: (text: string) => void): Shop {
  const connect = (role: Role) => findConnection(env, asked(), role)
  return {
    env,
    connect,
    connectTo: ({ project }) => connect(project === undefined ? 'owner' : 'operator'),
    tell(command, data, text) {
      write(`${wantsJson(command) ? toJson(data) : printableOutput(text)}\n`)
    },
  }
}

export const wantsJson = (command: Command) => command.optsWithGlobals().json === true

/** Every digit of an int64, and scopes as they are typed. */
export function toJson(data: unknown, indent = 2): string {
  return JSON.stringify(
    data,
    (key, value) => (key === 'scopes' ? value.map(scopeName) : exact(value)),
    indent,
  )
}

const exact = (value: unknown) => (typeof value === 'bigint' ? String(value) : value)
/** GraphQL's names may have no colon. */
export const scopeName = (scope: string) => scope.replace('_', ':')
