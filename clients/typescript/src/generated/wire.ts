// Generated from openapi.yaml by npm run codegen.

/** Where each operation is; one that is keyed takes an Idempotency-Key, and an idempotent one may be sent again. */
export const wire = {
  listPets: {"method":"GET","path":"/pets","keyed":false,"idempotent":true},
  createPet: {"method":"POST","path":"/pets","keyed":true,"idempotent":false},
  getPet: {"method":"GET","path":"/pets/{petId}","keyed":false,"idempotent":true},
  updatePet: {"method":"PATCH","path":"/pets/{petId}","keyed":false,"idempotent":false},
  deletePet: {"method":"DELETE","path":"/pets/{petId}","keyed":false,"idempotent":false},
  getInventory: {"method":"GET","path":"/store/inventory","keyed":false,"idempotent":true},
  getRateLimit: {"method":"GET","path":"/rate-limit","keyed":false,"idempotent":true},
  listCategories: {"method":"GET","path":"/categories","keyed":false,"idempotent":true},
  getCategory: {"method":"GET","path":"/categories/{categoryId}","keyed":false,"idempotent":true},
  setCategory: {"method":"PUT","path":"/categories/{categoryId}","keyed":false,"idempotent":true},
  removeCategory: {"method":"DELETE","path":"/categories/{categoryId}","keyed":false,"idempotent":false},
  listOrders: {"method":"GET","path":"/store/orders","keyed":false,"idempotent":true},
  placeOrder: {"method":"POST","path":"/store/orders","keyed":true,"idempotent":false},
  getOrder: {"method":"GET","path":"/store/orders/{orderId}","keyed":false,"idempotent":true},
  approveOrder: {"method":"POST","path":"/store/orders/{orderId}/approve","keyed":false,"idempotent":true},
  deliverOrder: {"method":"POST","path":"/store/orders/{orderId}/deliver","keyed":false,"idempotent":true},
  cancelOrder: {"method":"POST","path":"/store/orders/{orderId}/cancel","keyed":false,"idempotent":true},
} as const

/** The members whose numbers are int64, wherever they stand. */
export const int64Members: readonly string[] = ["categoryId","id","petId"]
