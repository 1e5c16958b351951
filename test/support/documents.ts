import { readFileSync } from 'node:fs'

export const languages = ['sh', 'console', 'sql'] as const
export type Language = (typeof languages)[number]

/** A command of a document, with the heading above it. */
export type Command = { heading: string; command: string }

/**
 * Reads the commands of fenced blocks in this language. In a console block, these are the lines after the prompt; in an
 * SQL block, the statements.
 */
export function commandsOf(file: string, language: Language): Command[] {
  const found: Command[] = []
  for (const section of readFileSync(file, 'utf8').split(/^#+ /m)) {
    const [heading = ''] = section.split('\n')
    // The language may be followed by a word that names the block for a test.
    const blocks = section.matchAll(new RegExp(`^ *\`\`\`${language}\\b[^\n]*\n(.*?)^ *\`\`\``, 'gms'))
    for (const [, text = ''] of blocks) {
      const lines = text
        .trim()
        .replace(/ *\\\n */g, ' ')
        .split(language === 'sql' ? /(?<=;)\n/ : '\n')
      const commands =
        language === 'console' ? lines.flatMap(line => (/^\$ /.test(line) ? [line.slice(2)] : [])) : lines
      found.push(...commands.map(command => ({ heading, command: command.trim() })))
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

const noSystemd = 'No systemd manages a service here.'
const notPublic = 'No name here is public.'

/**
 * Commands that no test runs literally. Each has the file of the test that runs an equivalent, or the reason why no
 * test does.
 */
export const notTyped: Readonly<Record<string, string>> = {
  'git clone <this repository> animal-store && cd animal-store': 'The reader puts in the address.',
  'npm ci && npm start': 'test/service/first-start.test.ts',
  'npm start -- --practice': 'test/hosting/walk-through.test.ts',
  'claude mcp add --transport http animal-store http://localhost:4000/mcp --header "Authorization: Bearer as_..."':
    'Claude Code is not installed here.',
  'npx @modelcontextprotocol/inspector --cli http://localhost:4000/mcp --transport http --header "Authorization: Bearer as_..." --method tools/list':
    'checks/agents/check.ts',
  'npm install @opentelemetry/sdk-node': 'test/service/tracing.test.ts',
  'echo "import { NodeSDK } from \'@opentelemetry/sdk-node\'; new NodeSDK().start()" > tracing.mjs':
    'test/service/tracing.test.ts',
  "NODE_OPTIONS='--import ./tracing.mjs' OTEL_SERVICE_NAME=animal-store OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 npm start":
    'test/service/tracing.test.ts',
  "systemctl status 'animal-store@*' --no-pager | grep -E '●|Active'": noSystemd,
  "systemctl list-units 'animal-store@*' --no-legend": noSystemd,
  'dig +short www.shop.com': notPublic,
  'dig +short "$PLATFORM_HOST"': notPublic,
  'dig +short @ADDRESS -p PORT "$PLATFORM_HOST"': notPublic,
}
