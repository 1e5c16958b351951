import type { CodegenConfig } from '@graphql-codegen/cli'

const dashboard = (documents: string) => ({
  documents,
  preset: 'client' as const,
  presetConfig: { fragmentMasking: false },
  config: {
    // As text they are a fifth of the size of parsed ones; vite.config.ts gives them urql's gql.
    documentMode: 'graphQLTag',
    enumsAsTypes: true,
    useTypeImports: true,
    scalars: { ID: 'string', DateTime: 'string', Date: 'string' },
  },
})

/** All that is generated from schema.graphql; behind the resolvers' types stand the core's own. */
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
    'test/graphql/client/generated/': {
      documents: 'test/graphql/client/shop.ts',
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: 'string',
        enumsAsTypes: true,
        useTypeImports: true,
        scalars: { ID: 'string', DateTime: 'string', Date: 'string' },
      },
    },
    // What the first load asks, and what pages ask that come later: a chunk has the whole of a file or nothing of it.
    'src/dashboard/generated/': dashboard('src/dashboard/operations/*.graphql'),
    'src/dashboard/generated/pages/': dashboard('src/dashboard/operations/pages/*.graphql'),
    'src/cli/generated/operations.ts': {
      documents: 'src/cli/*.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        documentMode: 'string',
        enumsAsTypes: true,
        useTypeImports: true,
        dedupeFragments: true,
        scalars: { ID: 'string', DateTime: 'string', Date: 'string' },
      },
    },
  },
} satisfies CodegenConfig
