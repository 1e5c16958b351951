import { existsSync } from 'node:fs'
import type { CodegenConfig } from '@graphql-codegen/cli'

const scalars = { ID: 'string', DateTime: 'string', Date: 'string' }

/** The enums and inputs of the contract as a client sends and receives them. All clients here share them. */
const sharedTypes = 'src/generated/contract.ts'

const client = (documents: string, config: object) => ({
  documents,
  plugins: ['typescript-operations', 'typed-document-node'],
  config: {
    importSchemaTypesFrom: sharedTypes,
    importExtension: '.ts',
    useTypeImports: true,
    dedupeFragments: true,
    scalars,
    ...config,
  },
})

const dashboard = (documents: string) =>
  client(documents, {
    // Documents as text are a fifth of the size of parsed ones.
    documentMode: 'graphQLTag',
    gqlImport: 'urql#gql',
  })

// The image is built without the tests.
const testClient: CodegenConfig['generates'] = existsSync('test/graphql/client')
  ? {
      'test/graphql/client/generated/': {
        documents: 'test/graphql/client/shop.ts',
        preset: 'client',
        presetConfig: { fragmentMasking: false },
        config: { documentMode: 'string', enumsAsTypes: true, useTypeImports: true, scalars },
      },
    }
  : {}

/** Everything generated from schema.graphql. `prepare` runs it, and git holds none of it. */
export default {
  schema: 'schema.graphql',
  generates: {
    'src/graphql/generated/resolvers.ts': {
      plugins: ['typescript', 'typescript-resolvers'],
      config: {
        enumsAsTypes: true,
        useTypeImports: true,
        contextType: '../context.ts#Context',
        mappers: {
          Pet: '../../core/pets/pets.ts#Pet as StoredPet',
          Order: '../../core/orders/orders.ts#Order as StoredOrder',
          Category: '../../core/pets/categories.ts#Category as StoredCategory',
          Project: '../../core/project.ts#Project as StoredProject',
          Plan: '../../generated/prisma/client.ts#Plan as StoredPlan',
          ApiKey: '../../generated/prisma/client.ts#ApiKey as StoredApiKey',
          Domain: '../fields/domain-type.ts#ProjectDomain',
          Deploy: '../fields/deploys.ts#ShownDeploy',
          Scope: '../../core/keys/api-keys.ts#Scope as ScopeName',
          DeprecatedUse: '../../core/keys/api-keys.ts#DeprecatedCalls',
          Usage: '../fields/usage.ts#ShownUsage',
          KeyUsage: '../fields/usage.ts#ShownKeyUsage',
          UsageDay: '../../core/usage/usage.ts#Step',
          UsageHour: '../../core/usage/usage.ts#Step',
          UsageByDoor: '../../core/usage/usage.ts#DoorUse',
        },
        enumValues: {
          Scope: {
            pets_read: 'pets:read',
            pets_write: 'pets:write',
            orders_read: 'orders:read',
            orders_write: 'orders:write',
            project_read: 'project:read',
            project_write: 'project:write',
          },
        },
        scalars: {
          ID: { input: 'string', output: 'string | bigint' },
          DateTime: { input: 'Date', output: 'Date' },
          Date: { input: 'string', output: 'string' },
        },
      },
    },
    ...testClient,
    [sharedTypes]: {
      plugins: ['typescript'],
      config: { onlyOperationTypes: true, enumsAsTypes: true, scalars },
    },
    // The operations of the first page, and those of later pages: the bundler splits by file.
    'src/dashboard/generated/graphql.ts': dashboard('src/dashboard/operations/*.graphql'),
    'src/dashboard/generated/pages/graphql.ts': dashboard('src/dashboard/operations/pages/*.graphql'),
    'src/cli/generated/operations.ts': client('src/cli/*.graphql', { documentMode: 'string' }),
  },
} satisfies CodegenConfig
