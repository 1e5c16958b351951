import { Argument, Command, Option } from 'commander'
import { expect, it } from 'vitest'
import { candidates } from '../../src/cli/completion.ts'
import { runHere } from '../support/run-command.ts'

/** A minimal program with one of each: command, option, argument, hidden command. */
function makeProgram(): Command {
  const program = new Command('store').option('--json', 'data').option('-k, --key <key>', 'a key')
  const pets = program.command('pets')
  pets
    .command('list')
    .addOption(new Option('-s, --status <status>', 'a status').choices(['sold', 'pending']))
    .option('--all', 'all')
    .option('--name [part]', 'a name')
  pets.command('plan').addArgument(new Argument('<plan>', 'a plan').choices(['free', 'pro']))
  program.command('complete', { hidden: true })
  return program
}

it.each([
  ['', ['pets']],
  ['p', ['pets']],
  ['x', []],
  ['comp', []],
  ['--', ['--json', '--key']],
  ['-', ['--json', '--key']],
  ['pets ', ['list', 'plan']],
  ['pets l', ['list']],
  ['pets list ', []],
  ['pets list --', ['--status', '--all', '--name', '--json', '--key']],
  ['pets list --s', ['--status']],
  ['pets list --status ', ['sold', 'pending']],
  ['pets list -s ', ['sold', 'pending']],
  ['pets list --name ', []],
  ['pets --key ', []],
  ['pets list --all --j', ['--json']],
  ['--json pets ', ['list', 'plan']],
  ['pets plan ', ['free', 'pro']],
  ['pets plan p', ['pro']],
])('after the input %j shell completion offers %j', (line, offered) => {
  expect(candidates(makeProgram(), line.split(' '))).toEqual(offered)
})

it('shell completion prints one candidate per line, even if the candidates begin with a hyphen', async () => {
  expect(await runHere({}, ['complete', '--', 'keys', 're'])).toEqual({
    ...{ exitCode: 0, errors: '', output: 'revoke\nrename\nreport-leak\n' },
  })
  expect((await runHere({}, ['complete', '--', 'pets', 'list', '--sort', ''])).output).toBe('id\n-id\n')
  expect((await runHere({}, ['complete', '--', 'zzz'])).output).toBe('')
})

it.each([
  ['bash', '-o default'],
  ['zsh', '|| _files'],
  ['fish', 'or __fish_complete_path'],
])('where the command offers nothing, %s completes names of files', async (shell, fallback) => {
  expect((await runHere({}, ['completion', shell])).output).toContain(fallback)
})

it.each([
  ['bash', 'source <(animal-store completion bash)'],
  ['zsh', 'source <(animal-store completion zsh)'],
  ['fish', 'animal-store completion fish | source'],
])('the help of the command completion shows the line for the start-up file of %s', async (shell, line) => {
  const { output } = await runHere({}, ['completion', '--help'])

  expect(output.replace(/ +/g, ' ')).toContain(` ${shell} ${line}`)
  expect(await runHere({}, ['completion', shell])).toMatchObject({
    ...{ exitCode: 0, output: expect.stringContaining('animal-store complete --') },
  })
})
