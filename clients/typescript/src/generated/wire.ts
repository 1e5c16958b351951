// Generated from openapi.yaml by npm run codegen.

/** Where each operation is; one that is keyed takes an Idempotency-Key, an idempotent one may be sent again, and what a streamed one answers is no JSON. */
export const wire = {
  listPets: {"method":"GET","path":"/pets","keyed":false,"idempotent":true,"streamed":false},
  createPet: {"method":"POST","path":"/pets","keyed":true,"idempotent":false,"streamed":false},
  exportPets: {"method":"GET","path":"/pets/export","keyed":false,"idempotent":true,"streamed":true},
  importPets: {"method":"POST","path":"/pets/import","keyed":true,"idempotent":false,"streamed":false},
  getPet: {"method":"GET","path":"/pets/{petId}","keyed":false,"idempotent":true,"streamed":false},
  updatePet: {"method":"PATCH","path":"/pets/{petId}","keyed":false,"idempotent":false,"streamed":false},
  deletePet: {"method":"DELETE","path":"/pets/{petId}","keyed":false,"idempotent":false,"streamed":false},
  getInventory: {"method":"GET","path":"/store/inventory","keyed":false,"idempotent":true,"streamed":false},
  getRateLimit: {"method":"GET","path":"/rate-limit","keyed":false,"idempotent":true,"streamed":false},
  listCategories: {"method":"GET","path":"/categories","keyed":false,"idempotent":true,"streamed":false},
  getCategory: {"method":"GET","path":"/categories/{categoryId}","keyed":false,"idempotent":true,"streamed":false},
  setCategory: {"method":"PUT","path":"/categories/{categoryId}","keyed":false,"idempotent":true,"streamed":false},
  removeCategory: {"method":"DELETE","path":"/categories/{categoryId}","keyed":false,"idempotent":false,"streamed":false},
  listOrders: {"method":"GET","path":"/store/orders","keyed":false,"idempotent":true,"streamed":false},
  placeOrder: {"method":"POST","path":"/store/orders","keyed":true,"idempotent":false,"streamed":false},
  getOrder: {"method":"GET","path":"/store/orders/{orderId}","keyed":false,"idempotent":true,"streamed":false},
  approveOrder: {"method":"POST","path":"/store/orders/{orderId}/approve","keyed":false,"idempotent":true,"streamed":false},
  deliverOrder: {"method":"POST","path":"/store/orders/{orderId}/deliver","keyed":false,"idempotent":true,"streamed":false},
  cancelOrder: {"method":"POST","path":"/store/orders/{orderId}/cancel","keyed":false,"idempotent":true,"streamed":false},
} as const

/** The members whose numbers are int64, wherever they stand. */
export const int64Members: readonly string[] = ["categoryId","firstId","id","lastId","petId"]
