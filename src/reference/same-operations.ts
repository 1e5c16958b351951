/** Which REST operation and which GraphQL field are the same act. */
export const sameOperations = [
  { rest: 'listPets', field: 'pets', root: 'Query' },
  { rest: 'createPet', field: 'createPet', root: 'Mutation' },
  { rest: 'updatePet', field: 'updatePet', root: 'Mutation' },
  { rest: 'deletePet', field: 'deletePet', root: 'Mutation' },
  { rest: 'getPet', field: 'getPet', root: 'Query' },
  { rest: 'listCategories', field: 'categories', root: 'Query' },
  { rest: 'getCategory', field: 'category', root: 'Query' },
  { rest: 'setCategory', field: 'setCategory', root: 'Mutation' },
  { rest: 'removeCategory', field: 'removeCategory', root: 'Mutation' },
  { rest: 'listOrders', field: 'orders', root: 'Query' },
  { rest: 'getOrder', field: 'order', root: 'Query' },
  { rest: 'placeOrder', field: 'placeOrder', root: 'Mutation' },
  { rest: 'approveOrder', field: 'approveOrder', root: 'Mutation' },
  { rest: 'deliverOrder', field: 'deliverOrder', root: 'Mutation' },
  { rest: 'cancelOrder', field: 'cancelOrder', root: 'Mutation' },
  { rest: 'getRateLimit', field: 'rateLimit', root: 'Query' },
] as const
