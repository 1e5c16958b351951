import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { askLine } from './ask-line.ts'
import { exitCodes, Refused } from './exit.ts'
import { printable } from './printable.ts'

export const yesOption = () => new Option('-y, --yes', 'do not ask for confirmation')

/** Asks for confirmation before a deletion. Without a terminal, `--yes` is required. */
export async function confirm(command: Command, what: string): Promise<void> {
  if (command.opts<{ yes?: boolean }>().yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new Refused(
      `${what} Add --yes to do it without confirmation.`,
      exitCodes.wrongInput,
      'confirmation_required',
    )
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await askLine(asking, `${printable(what)} Go on? [y/N] `)
  if (answer === null) process.stderr.write('\n')
  if (!/^y(es)?$/i.test(answer?.trim() ?? ''))
    throw new Refused('Nothing was changed.', exitCodes.failed, 'not_confirmed')
}
