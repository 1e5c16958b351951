import { readFileSync } from 'node:fs'

/** A command of a document, with the heading above it. */
export type Command = { heading: string; command: string }

/** Reads the commands of fenced blocks in this language. Of a console, the lines after the prompt. */
export function commandsOf(file: string, language: 'sh' | 'console' | 'sql'): Command[] {
  const found: Command[] = []
  for (const section of readFileSync(file, 'utf8').split(/^#+ /m)) {
    const [heading = ''] = section.split('\n')
    for (const [, text = ''] of section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))) {
      const lines = text.trim().replaceAll('\\\n', ' ').split('\n')
      const commands =
        language === 'console' ? lines.flatMap(line => (/^\$ /.test(line) ? [line.slice(2)] : [])) : lines
      found.push(...commands.map(command => ({ heading, command })))
    }
  }
  return found
}

/** Reads the commands in running text that begin with this word. */
export function inlineCommandsOf(file: string, word: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/^```.*?^```/gms, '')
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) =>
    code.startsWith(`${word} `) ? [code.replaceAll('\n', ' ')] : [],
  )
}
