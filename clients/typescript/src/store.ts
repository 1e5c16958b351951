import { Categories } from './categories.ts'
import { readDeprecation } from './deprecations.ts'
import { Events } from './events.ts'
import type { components, operations } from './generated/openapi.ts'
import { type RateLimitState, readRateLimit } from './headers.ts'
import type { OperationId } from './operations.ts'
import type { CallOptions, StoreOptions } from './options.ts'
import { Orders } from './orders.ts'
import { Pets } from './pets.ts'
import { openSend, type Send } from './send.ts'
import { Webhooks } from './webhooks.ts'

export type Inventory = components['schemas']['Inventory']
export type UsageRow = components['schemas']['UsageRow']
/**
 * `from` and `to` are the first and the last day, in UTC. `by` selects the rows: one row for each day, each API
 * (`door`) or each key.
 */
export type UsageQuery = Omit<NonNullable<operations['getUsage']['parameters']['query']>, 'format'>
export type RateLimit = components['schemas']['RateLimit']

/** A project's store, as one API key sees it. Create one and keep it: all its calls share the limits. */
export class AnimalStore {
  readonly pets: Pets
  readonly categories: Categories
  readonly orders: Orders
  readonly events: Events
  readonly webhooks: Webhooks
  readonly #options: StoreOptions
  readonly #send: Send
  readonly #told = new Set<OperationId>()
  #rateLimit: RateLimitState | null = null

  constructor(options: StoreOptions) {
    this.#options = options
    this.#send = openSend(options, (id, answer) => this.#learn(id, answer))
    this.pets = new Pets(this.#send)
    this.categories = new Categories(this.#send)
    this.orders = new Orders(this.#send)
    this.events = new Events(this.#send)
    this.webhooks = new Webhooks(this.#send)
  }

  /** The project's limits in the last answer that contained them; null before that answer. Sends no request. */
  get rateLimit(): RateLimitState | null {
    return this.#rateLimit
  }

  /** Returns the number of pets by status. */
  async getInventory(options: CallOptions = {}): Promise<Inventory> {
    return (await this.#send('getInventory', {}, options)).body
  }

  /** Returns the project's usage by day, by API (`door`) or by key, for a billing system. */
  async getUsage(query: UsageQuery = {}, options: CallOptions = {}): Promise<UsageRow[]> {
    return (await this.#send('getUsage', { query }, options)).body
  }

  /** Asks the store for the plan, both rate limit windows and the key's ban. Free 60 times a minute. */
  async getRateLimit(options: CallOptions = {}): Promise<RateLimit> {
    return (await this.#send('getRateLimit', {}, options)).body
  }

  #learn(id: OperationId, { status, headers }: Response): void {
    // A 401 has the limits of the IP address, and a refused read of the limits has those of the management budget.
    const isOfProject = status !== 401 && !(status === 429 && id === 'getRateLimit')
    if (isOfProject) this.#rateLimit = readRateLimit(headers) ?? this.#rateLimit
    const deprecation = this.#told.has(id) ? null : readDeprecation(id, headers)
    if (deprecation === null) return
    this.#told.add(id)
    this.#options.onDeprecation?.(deprecation)
  }
}
