// Generated from openapi.yaml by npm run codegen.

/** Where each operation is; one that is keyed takes an Idempotency-Key. */
export const wire = {
  listPets: {"method":"GET","path":"/pets","keyed":false},
  createPet: {"method":"POST","path":"/pets","keyed":true},
  getPet: {"method":"GET","path":"/pets/{petId}","keyed":false},
  updatePet: {"method":"PATCH","path":"/pets/{petId}","keyed":false},
  deletePet: {"method":"DELETE","path":"/pets/{petId}","keyed":false},
  getRateLimit: {"method":"GET","path":"/rate-limit","keyed":false},
  listCategories: {"method":"GET","path":"/categories","keyed":false},
  getCategory: {"method":"GET","path":"/categories/{categoryId}","keyed":false},
  setCategory: {"method":"PUT","path":"/categories/{categoryId}","keyed":false},
  removeCategory: {"method":"DELETE","path":"/categories/{categoryId}","keyed":false},
} as const

/** The members whose numbers are int64, wherever they stand. */
export const int64Members: readonly string[] = ["categoryId","id"]
