import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codegen } from '@graphql-codegen/core'
import * as typedDocuments from '@graphql-codegen/typed-document-node'
import * as types from '@graphql-codegen/typescript'
import * as operations from '@graphql-codegen/typescript-operations'
import * as resolvers from '@graphql-codegen/typescript-resolvers'
import { buildSchema, parse } from 'graphql'
import { generateClient } from './clients/typescript/codegen.ts'

const pluginMap = { types, operations, typedDocuments, resolvers }

type Output = { file: string; plugins: (keyof typeof pluginMap)[]; documents?: string; config: object }

const scalars = { ID: 'string', DateTime: 'string', Date: 'string', JSON: 'unknown' }

/**
 * The generated file with the TypeScript types of the enums and inputs in schema.graphql. Each type describes the value
 * as JSON contains it. The generated operations import these types.
 */
const sharedTypes = 'src/generated/contract.ts'

const client = (file: string, documents: string, config: object): Output => ({
  file,
  documents,
  plugins: ['operations', 'typedDocuments'],
  config: {
    importSchemaTypesFrom: sharedTypes,
    importExtension: '.ts',
    useTypeImports: true,
    dedupeFragments: true,
    scalars,
    ...config,
  },
})

const asText = { documentMode: 'string' }
// Generate documents as text, which has a fifth of the bytes of a parsed document.
const forUrql = { documentMode: 'graphQLTag', gqlImport: 'urql#gql' }

const outputs: Output[] = [
  {
    file: 'src/graphql/generated/resolvers.ts',
    plugins: ['types', 'resolvers'],
    config: {
      enumsAsTypes: true,
      useTypeImports: true,
      contextType: '../context.ts#Context',
      mappers: {
        Pet: '../../core/pets/pets.ts#Pet as StoredPet',
        PetConnection: '../fields/pets.ts#PetPage',
        Order: '../../core/orders/orders.ts#Order as StoredOrder',
        Category: '../../core/pets/categories.ts#Category as StoredCategory',
        Project: '../../core/project.ts#Project as StoredProject',
        Plan: '../../generated/prisma/client.ts#Plan as StoredPlan',
        ApiKey: '../../generated/prisma/client.ts#ApiKey as StoredApiKey',
        Viewer: '../fields/people.ts#ShownViewer',
        Session: '../../generated/prisma/client.ts#Session as StoredSession',
        Passkey: '../../generated/prisma/client.ts#Passkey as StoredPasskey',
        Member: '../fields/people.ts#ShownMember',
        JoinDomain: '../fields/join-domains.ts#ShownJoinDomain',
        Operator: '../fields/operators.ts#ShownOperator',
        Invitation: '../fields/people.ts#ShownInvitation',
        AuditEntry: '../../core/events/audit-log.ts#AuditEntry as StoredEntry',
        Domain: '../fields/domain-type.ts#ProjectDomain',
        Deploy: '../fields/deploys.ts#ShownDeploy',
        Event: '../../core/events/event.ts#StoreEvent',
        Webhook: '../../core/events/endpoints.ts#Endpoint',
        WebhookDelivery: '../../core/events/attempts.ts#Delivery',
        DomainWarning: '../fields/domain-type.ts#ProjectWarning',
        Scope: '../../core/keys/scopes.ts#Scope as ScopeName',
        ErrorCode: '../../core/errors.ts#ErrorCode as StoreErrorCode',
        DeprecatedUse: '../../core/keys/api-keys.ts#DeprecatedCalls',
        Usage: '../fields/usage.ts#ShownUsage',
        KeyUsage: '../fields/usage.ts#ShownKeyUsage',
        UsageDay: '../../core/usage/usage.ts#Step',
        UsageHour: '../../core/usage/usage.ts#Step',
        DoorLatency: '../../core/usage/latency.ts#DoorLatency as StoredLatency',
        UsageByDoor: '../../core/usage/usage.ts#DoorUse',
      },
      enumValues: {
        Scope: {
          pets_read: 'pets:read',
          pets_write: 'pets:write',
          orders_read: 'orders:read',
          orders_write: 'orders:write',
          events_read: 'events:read',
          webhooks_write: 'webhooks:write',
          project_read: 'project:read',
          project_write: 'project:write',
        },
      },
      scalars: {
        ID: { input: 'string', output: 'string | bigint' },
        DateTime: { input: 'Date', output: 'Date' },
        Date: { input: 'string', output: 'string' },
        JSON: { input: 'never', output: 'string' },
      },
    },
  },
  {
    file: sharedTypes,
    plugins: ['types'],
    config: { onlyOperationTypes: true, enumsAsTypes: true, scalars },
  },
  // The operations of the dashboard's first page and the operations of later pages go into separate files, because the
  // bundler splits the code by file.
  client('src/dashboard/generated/graphql.ts', 'src/dashboard/operations/*.graphql', forUrql),
  client('src/dashboard/generated/pages/graphql.ts', 'src/dashboard/operations/pages/*.graphql', forUrql),
  client('src/cli/generated/operations.ts', 'src/cli/*.graphql', asText),
  client('test/graphql/client/generated/operations.ts', 'test/graphql/client/*.graphql', asText),
]

/**
 * Returns the text of every file that is generated from the contracts, by path. `prepare` writes them; they are not in
 * git.
 */
export async function generate(): Promise<Record<string, string>> {
  const text = readFileSync('schema.graphql', 'utf8')
  const [schema, schemaAst] = [parse(text), buildSchema(text)]
  const files = await generateClient()
  for (const { file, plugins, documents, config } of outputs) {
    const parsed = globSync(documents ?? []).map(location => ({
      location,
      document: parse(readFileSync(location, 'utf8')),
    }))
    // The build of the container image has no tests, so the GraphQL documents of the tests are missing in that build.
    if (documents && parsed.length === 0) continue
    files[file] = await codegen({
      filename: file,
      schema,
      schemaAst,
      documents: parsed,
      plugins: plugins.map(name => ({ [name]: {} })),
      pluginMap,
      config,
    })
  }
  return files
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generate())) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
