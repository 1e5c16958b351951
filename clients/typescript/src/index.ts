export type { Categories, Category, CategoryQuery } from './categories.ts'
export type { Deprecation } from './deprecations.ts'
export { type ClientErrorCode, type ErrorCode, type FieldError, StoreError } from './errors.ts'
export { etagOf } from './etag.ts'
export type { EventExportQuery, EventQuery, Events, FollowQuery, StoreEvent } from './events.ts'
export type { RateLimitState } from './headers.ts'
export type { Importable } from './importable.ts'
export type { List, Page } from './list.ts'
export type { CallOptions, ChangeOptions, CreateOptions, StoreOptions } from './options.ts'
export type { NewOrder, Order, OrderQuery, OrderStatus, Orders } from './orders.ts'
export type {
  ExportQuery,
  Imported,
  ImportOptions,
  NewPet,
  Pet,
  PetChange,
  PetQuery,
  PetStatus,
  Pets,
  PetsChange,
  PetsSelection,
} from './pets.ts'
export { AnimalStore, type Inventory, type RateLimit, type UsageQuery, type UsageRow } from './store.ts'
export { type ReceivedEvent, verifyWebhook } from './verify-webhook.ts'
export type {
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  Webhooks,
  WebhookTest,
  WebhookWithSecret,
} from './webhooks.ts'
