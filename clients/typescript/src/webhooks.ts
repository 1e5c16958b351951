import type { components } from './generated/openapi.ts'
import { type List, makeList } from './list.ts'
import { type CallOptions, largestPage } from './options.ts'
import type { Send } from './send.ts'

type Schemas = components['schemas']
export type Webhook = Schemas['Webhook']
export type WebhookWithSecret = Schemas['WebhookWithSecret']
export type NewWebhook = Schemas['NewWebhook']
export type WebhookChange = Schemas['WebhookChange']
export type WebhookDelivery = Schemas['WebhookDelivery']
export type WebhookTest = Schemas['WebhookTest']

/** The addresses that receive the store's events. */
export class Webhooks {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async list(options: CallOptions = {}): Promise<Webhook[]> {
    return (await this.#send('listWebhooks', {}, options)).body
  }

  async get(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
    return (await this.#send('getWebhook', { path: { webhookId } }, options)).body
  }

  /** Adds an endpoint. Its secret is returned only here and by `rotateSecret`. */
  async add(webhook: NewWebhook, options: CallOptions = {}): Promise<WebhookWithSecret> {
    return (await this.#send('addWebhook', { body: webhook }, options)).body
  }

  async change(webhookId: string, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> {
    return (await this.#send('changeWebhook', { path: { webhookId }, body: change }, options)).body
  }

  async remove(webhookId: string, options: CallOptions = {}): Promise<void> {
    await this.#send('removeWebhook', { path: { webhookId } }, options)
  }

  /** Makes a new secret. For a day, requests are also signed with the old secret. */
  async rotateSecret(webhookId: string, options: CallOptions = {}): Promise<WebhookWithSecret> {
    return (await this.#send('rotateWebhookSecret', { path: { webhookId } }, options)).body
  }

  /** Sends a test event at once and returns the result. */
  async test(webhookId: string, options: CallOptions = {}): Promise<WebhookTest> {
    return (await this.#send('testWebhook', { path: { webhookId } }, options)).body
  }

  /** Lists the delivery attempts of the last 30 days, newest first; about the newest 10,000 are kept. */
  deliveries(webhookId: string, options: CallOptions = {}): List<WebhookDelivery> {
    return makeList(cursor =>
      this.#send(
        'listWebhookDeliveries',
        { path: { webhookId }, query: { limit: largestPage, cursor } },
        options,
      ),
    )
  }

  /** Sends one event again, by its number. */
  async redeliver(webhookId: string, event: bigint, options: CallOptions = {}): Promise<void> {
    await this.#send('redeliverWebhook', { path: { webhookId }, body: { event } }, options)
  }

  /**
   * Sends earlier events again. If `place` is an event's number, sends all later events (0: all stored events). If it
   * is a time in RFC 3339, sends all events since then.
   */
  async rewind(webhookId: string, place: bigint | string, options: CallOptions = {}): Promise<Webhook> {
    const body = typeof place === 'string' ? { since: place } : { after: place }
    return (await this.#send('rewindWebhook', { path: { webhookId }, body }, options)).body
  }
}
