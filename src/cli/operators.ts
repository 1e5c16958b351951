import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import {
  AddOperatorDocument,
  ListOperatorsDocument,
  type OperatorLineFragment,
  RemoveOperatorDocument,
} from './generated/operations.ts'
import { table } from './print.ts'
import { send } from './send.ts'

/** Builds `operators`, a command for operators. */
export function operatorsCommand(shop: CommandContext): Command {
  const operators = new Command('operators').description(
    'manage the people who are operators, as the operator of the service',
  )

  operators
    .command('list')
    .description('list the people who are operators, and their passkeys')
    .action(async (_options, command: Command) => {
      const found = (await send(shop.connect('operator'), ListOperatorsDocument, {})).operators
      shop.print(command, found, found.length === 0 ? 'Nobody is an operator.' : showOperators(found))
    })

  operators
    .command('add <person>')
    .description('make a person an operator, by the id that the profile page shows')
    .action(async (id: string, _options, command: Command) => {
      const { operatorAdd } = await send(shop.connect('operator'), AddOperatorDocument, { input: { id } })
      const { operator } = operatorAdd
      const text = `${showOperators([operator])}\n\nCheck with ${operator.name} that all these passkeys belong to ${operator.name}.`
      shop.print(command, operator, text)
    })

  operators
    .command('remove <person>')
    .description('take the rights of an operator from a person, at once')
    .action(async (id: string, _options, command: Command) => {
      const answer = await send(shop.connect('operator'), RemoveOperatorDocument, { input: { id } })
      const { operatorId } = answer.operatorRemove
      shop.print(command, answer.operatorRemove, `${operatorId} is no operator.`)
    })

  return operators.addHelpText(
    'after',
    `
Examples:
  animal-store operators add person_0197f6a0-0000-7000-8000-000000000001
  animal-store operators list
  animal-store operators remove person_0197f6a0-0000-7000-8000-000000000001`,
  )
}

function showOperators(operators: readonly OperatorLineFragment[]): string {
  const rows = operators.map(({ id, name, passkeys }) => [id, name, passkeys.map(key => key.name).join(', ')])
  return table(['ID', 'NAME', 'PASSKEYS'], rows)
}
