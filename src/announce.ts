import { actAsSystem } from './core/acts.ts'
import { inviteFirstOwner } from './core/people/invitations.ts'
import { print } from './tools/log.ts'
import type { Tools } from './tools.ts'

/**
 * Makes a link with which the first owner of the demo project signs in. Until the project has an owner who can sign in,
 * each start replaces the unused link.
 */
export async function makeSignInLink({ config, db, clock, demo, log }: Tools): Promise<string | null> {
  if (!demo) return null
  try {
    const secret = await actAsSystem('sign-in link', () =>
      inviteFirstOwner(db, clock, demo.project, config.oidc?.issuer ?? null),
    )
    return secret && `${config.publicUrl}/dashboard/invitation#${secret}`
  } catch (error) {
    log.warn({ error }, 'no sign-in link was made; the next start tries again')
    return null
  }
}

/** Prints the service's addresses and a command to paste, for somebody who starts it for the first time. */
export function announce({ config, demo, log }: Tools, signInLink: string | null): void {
  const { publicUrl } = config
  // Without a terminal a program reads the output, so print only the log's JSON lines.
  if (!demo && !process.stdout.isTTY) {
    log.info({ url: `${publicUrl}/v1` }, `Animal Store answers at ${publicUrl}/v1`)
    return
  }
  const lines = [
    `Animal Store answers at ${publicUrl}/v1`,
    '',
    `  dashboard      ${publicUrl}/dashboard`,
    `  reference      ${publicUrl}/reference`,
    `  GraphQL        ${publicUrl}/graphql`,
    '  Prisma Studio  npm run studio',
    '  command line   npx animal-store --help',
  ]
  if (demo) {
    lines.push(
      '',
      `  project        ${demo.project}`,
      `  API key        ${demo.apiKey}`,
      `  operator key   ${demo.operatorKey ?? (config.operatorKeys.length > 0 ? '(the value of OPERATOR_KEY)' : '(none: set OPERATOR_KEY)')}`,
      ...(signInLink ? [`  sign in once   ${signInLink}`] : []),
      '',
      `  curl -H 'Authorization: Bearer ${demo.apiKey}' '${publicUrl}/v1/pets?limit=3'`,
      '',
      `${demo.operatorKey ? 'Both keys are' : 'The API key is'} kept in ${config.dataDir}/credentials.json.`,
    )
  }
  print(lines.join('\n'))
}

/** Prints how to try custom domains on this machine: the file for DNS records and the first command. */
export function announcePractice({ config }: Tools): void {
  console.log(`
Custom domains for practice: each line of practice.zone is a DNS record, and names end in .localhost.

  npx animal-store domains add www.shop.localhost
  echo 'www.shop.localhost CNAME demo.${config.platformHost}' >> practice.zone
  npx animal-store domains verify www.shop.localhost --wait

docs/domains.md describes the next steps.`)
}
