import { Argument, Command } from 'commander'
import type { CommandContext } from './command-context.ts'

const shells = ['bash', 'zsh', 'fish']

/** Each script runs this command to get completions, so a new version needs no new script. */
const scripts: Record<string, string> = {
  bash: `_animal_store() {
  local found
  found=$(animal-store complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  mapfile -t COMPREPLY < <(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _animal_store animal-store`,
  zsh: `#compdef animal-store
_animal_store() {
  local -a found
  found=("\${(@f)$(animal-store complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n $found ]] && compadd -a found || _files
}
compdef _animal_store animal-store`,
  fish: `function _animal_store
  set -l found (animal-store complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  test -n "$found"; and printf '%s\\n' $found; or __fish_complete_path (commandline -ct)
end
complete -c animal-store -f -a '(_animal_store)'`,
}

const places: Record<string, string> = {
  bash: 'source <(animal-store completion bash)',
  zsh: 'source <(animal-store completion zsh)',
  fish: 'animal-store completion fish | source',
}

export function completionCommand(shop: CommandContext): Command {
  return new Command('completion')
    .description('print a script that lets your shell complete this command')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: string) => {
      shop.output.write(`${scripts[shell]}\n`)
    })
    .addHelpText(
      'after',
      `\nIn the shell's own start-up file:\n${shells.map(shell => `  ${shell.padEnd(5)} ${places[shell]}`).join('\n')}`,
    )
}

/** Called by the scripts above. The last argument is the word being typed. */
export function completeCommand(program: Command, shop: CommandContext): Command {
  return new Command('complete')
    .argument('[words...]')
    .allowUnknownOption()
    .action((words: string[]) => {
      shop.output.write(
        candidates(program, words)
          .map(line => `${line}\n`)
          .join(''),
      )
    })
}

export function candidates(program: Command, words: string[]): string[] {
  const typed = words.slice(0, -1)
  const command = typed.reduce((at, word) => find(at, word) ?? at, program)
  // Before any command is typed, `command` and `program` are the same object, so the list contains each option twice.
  // The Set removes the duplicates.
  const known = [...new Set([...command.options, ...program.options])]
  const before = known.find(({ long, short }) => [long, short].includes(typed.at(-1)))
  if (before?.argChoices) return before.argChoices
  if (before && (before.required || before.optional)) return []
  const named = command.commands.filter(one => one.name() !== 'complete').map(one => one.name())
  const options = known.flatMap(option => option.long ?? [])
  const choices = command.registeredArguments.flatMap(argument => argument.argChoices ?? [])
  const wantsOption = words.at(-1)?.startsWith('-')
  return (wantsOption ? options : [...named, ...choices]).filter(one => one.startsWith(words.at(-1) ?? ''))
}

const find = (command: Command, word: string) => command.commands.find(one => one.name() === word)
