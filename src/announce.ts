import { print } from './tools/log.ts'
import type { Tools } from './tools.ts'

/** The first thing anyone sees: where the store is, and a line to paste. */
export function announce({ config, demo }: Tools): void {
  const { publicUrl } = config
  const lines = [
    `Animal Store answers at ${publicUrl}/v1`,
    '',
    `  dashboard      ${publicUrl}/dashboard`,
    `  reference      ${publicUrl}/reference`,
    config.graphqlSandbox
      ? `  Apollo Sandbox ${publicUrl}/graphql (works offline at /graphql/ide)`
      : `  GraphQL        ${publicUrl}/graphql`,
    '  Prisma Studio  npm run studio',
    '  command line   npx animal-store --help',
  ]
  if (demo) {
    lines.push(
      '',
      `  project        ${demo.project}`,
      `  API key        ${demo.apiKey}`,
      `  operator key   ${demo.operatorKey ?? (config.operatorKey ? '(the one of OPERATOR_KEY)' : '(none: set OPERATOR_KEY)')}`,
      '',
      `  curl -H 'Authorization: Bearer ${demo.apiKey}' '${publicUrl}/v1/pets?limit=3'`,
      '',
      `${demo.operatorKey ? 'Both keys are' : 'The API key is'} kept in ${config.dataDir}/credentials.json.`,
    )
  }
  print(lines.join('\n'))
}
