import type { CodegenConfig } from '@graphql-codegen/cli'

/** The types of the GraphQL resolvers, from schema.graphql; the core's own types stand behind the schema's. */
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
          Pet: '../../core/pets.ts#Pet',
          Project: '../../core/projects.ts#Project',
          Plan: '../../generated/prisma/client.ts#Plan',
          ApiKey: '../../generated/prisma/client.ts#ApiKey',
          DeprecatedUse: '../../generated/prisma/client.ts#DeprecatedUse',
        },
        enumValues: { Scope: '../../core/api-keys.ts#Scope' },
        scalars: {
          ID: { input: 'string', output: 'string | bigint' },
          DateTime: { input: 'Date', output: 'Date' },
          Date: { input: 'string', output: 'string' },
        },
      },
    },
  },
} satisfies CodegenConfig
