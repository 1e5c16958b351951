/* eslint-disable */
import * as types from './graphql';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query FirstPets($status: PetStatus, $after: String) {\n    pets(first: 2, status: $status, after: $after) {\n      nodes { id name categoryId status }\n      pageInfo { hasNextPage endCursor }\n    }\n  }\n": typeof types.FirstPetsDocument,
    "\n  mutation AddPet($input: NewPet!) {\n    createPet(input: $input) { id name categoryId status }\n  }\n": typeof types.AddPetDocument,
    "\n  query Budget {\n    rateLimit { plan minute { limit remaining } }\n  }\n": typeof types.BudgetDocument,
};
const documents: Documents = {
    "\n  query FirstPets($status: PetStatus, $after: String) {\n    pets(first: 2, status: $status, after: $after) {\n      nodes { id name categoryId status }\n      pageInfo { hasNextPage endCursor }\n    }\n  }\n": types.FirstPetsDocument,
    "\n  mutation AddPet($input: NewPet!) {\n    createPet(input: $input) { id name categoryId status }\n  }\n": types.AddPetDocument,
    "\n  query Budget {\n    rateLimit { plan minute { limit remaining } }\n  }\n": types.BudgetDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FirstPets($status: PetStatus, $after: String) {\n    pets(first: 2, status: $status, after: $after) {\n      nodes { id name categoryId status }\n      pageInfo { hasNextPage endCursor }\n    }\n  }\n"): typeof import('./graphql').FirstPetsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddPet($input: NewPet!) {\n    createPet(input: $input) { id name categoryId status }\n  }\n"): typeof import('./graphql').AddPetDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Budget {\n    rateLimit { plan minute { limit remaining } }\n  }\n"): typeof import('./graphql').BudgetDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
