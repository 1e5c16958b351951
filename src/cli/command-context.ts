import type { Command } from 'commander'
import { type ConnectionOptions, findConnection, type Role } from './connection.ts'
import type { Output } from './output.ts'
import { printableOutput } from './printable.ts'
import type { Environment } from './profiles.ts'
import type { Connection } from './rest-client.ts'

/** Context of every command: the connection to the service and the output. */
export type CommandContext = {
  env: Environment
  output: Output
  connect(role: Role): Connection
  /** Connects with the project's key, or with the operator's key if `project` is given. */
  connectTo(options: { project?: string }): Connection
  /** Prints text for people or data for programs. */
  print(command: Command, data: unknown, text: string): void
}

export function openCommandContext(
  env: Environment,
  readOptions: () => ConnectionOptions,
  output: Output,
): CommandContext {
  const connect = (role: Role) => findConnection(env, readOptions(), role)
  return {
    env,
    output,
    connect,
    connectTo: ({ project }) => connect(project === undefined ? 'owner' : 'operator'),
    print(command, data, text) {
      output.write(`${wantsJson(command) ? toJson(data) : printableOutput(text)}\n`)
    },
  }
}

export const wantsJson = (command: Command) => command.optsWithGlobals().json === true

/**
 * Formats JSON. Keeps every digit of an int64, and writes scopes in the spelling of the command line, such as
 * pets:read.
 */
export function toJson(data: unknown, indent = 2): string {
  return JSON.stringify(
    data,
    (key, value) => (key === 'scopes' ? value.map(scopeName) : exact(value)),
    indent,
  )
}

const exact = (value: unknown) => (typeof value === 'bigint' ? String(value) : value)
/** GraphQL names cannot contain a colon. */
export const scopeName = (scope: string) => scope.replace('_', ':')
