import graphql from '@graphql-eslint/eslint-plugin'

const names = graphql.configs['flat/schema-recommended'].rules['@graphql-eslint/naming-convention'][1]

/** The rules of graphql-eslint for schema.graphql. */
export default [
  {
    files: ['*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: 'schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      '@graphql-eslint/no-scalar-result-type-on-mutation': 'error',
      '@graphql-eslint/require-nullable-result-in-root': 'error',
      '@graphql-eslint/require-type-pattern-with-oneof': 'error',
      // Short descriptions are written on one line.
      '@graphql-eslint/description-style': 'off',
      // Some types, such as usage and limits, have no id; clients/typescript/src/graphql.ts lists them for the caches
      // of clients.
      '@graphql-eslint/strict-id-in-types': 'off',
      // Allow the field `categoryId` in the type Category, although the rule forbids a type's name in its fields'
      // names. A field called `id` contains the kind of the object as well as the number, so the plain number of a
      // category is called `categoryId` everywhere.
      '@graphql-eslint/no-typename-prefix': 'off',
      // Allow lists of other types than edges: each connection also has a list of its nodes, and short lists have no
      // connection.
      '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
      '@graphql-eslint/naming-convention': [
        'error',
        {
          ...names,
          // Enum values are spelled as in REST.
          EnumValueDefinition: { style: 'snake_case' },
          'FieldDefinition[parent.name.value=Query]': {
            ...names['FieldDefinition[parent.name.value=Query]'],
            // The specification's operation.
            ignorePattern: '^getPet$',
          },
        },
      ],
    },
  },
]
