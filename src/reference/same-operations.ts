/** Which REST operation and which GraphQL field are the same act. */
export const sameOperations = [
  { rest: 'listPets', field: 'pets', root: 'Query' },
  { rest: 'createPet', field: 'createPet', root: 'Mutation' },
  { rest: 'getPet', field: 'getPet', root: 'Query' },
  { rest: 'getRateLimit', field: 'rateLimit', root: 'Query' },
] as const
