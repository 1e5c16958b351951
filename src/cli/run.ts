import { Command, CommanderError } from 'commander'
import { limitsCommand, usageCommand } from './budget.ts'
import { certificatesCommand } from './certificates.ts'
import type { Environment } from './connection.ts'
import { deployCommand, deploysCommand, rollbackCommand } from './deploys.ts'
import { domainsCommand } from './domains.ts'
import { type ExitCode, exitCodes, exitCodesHelp, Refused } from './exit.ts'
import { keysCommand } from './keys.ts'
import { petsCommand } from './pets.ts'
import { projectsCommand } from './projects.ts'
import { openShop } from './shop.ts'

const examples = `
Examples:
  animal-store pets list --status available
  animal-store pets add "Biscuit" --category 1
  animal-store keys issue "Web shop" --scopes pets:read,pets:write
  animal-store keys rotate as_4fTq8ZxW --overlap 3600
  animal-store limits --json
  animal-store deploy animal-store.json
  animal-store domains add www.example.com
  animal-store projects create corner-shop --plan pro
${exitCodesHelp}

The service is found at ANIMAL_STORE_URL (http://localhost:4000 if unset), with the key ANIMAL_STORE_KEY.
For a service on this machine both may be left out: its keys are read from DATA_DIR/credentials.json.`

/** One run of the command; the exit code says how it went. */
export async function run(args: string[], env: Environment): Promise<ExitCode> {
  const shop = openShop(env, text => process.stdout.write(text))
  const program = new Command('animal-store')
    .description(
      'A client of the Animal Store: pets, API keys, limits, domains and projects from the command line.',
    )
    .option('--json', 'print data for programs instead of tables for people')
    .addHelpText('after', examples)
  for (const make of [
    petsCommand,
    keysCommand,
    limitsCommand,
    usageCommand,
    deployCommand,
    deploysCommand,
    rollbackCommand,
    domainsCommand,
    certificatesCommand,
    projectsCommand,
  ])
    program.addCommand(make(shop))
  throwInsteadOfExit(program)

  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    // Commander has printed its own sentence already; a look at --help is no fault.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongInput
    if (!(error instanceof Refused)) throw error
    process.stderr.write(`${error.message}\n`)
    return error.exitCode
  }
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride().showHelpAfterError('(add --help for what is possible)')
  command.commands.forEach(throwInsteadOfExit)
}
