import { tagged } from './etag.ts'
import type { components, operations } from './generated/openapi.ts'
import { type List, makeList } from './list.ts'
import { type CallOptions, type ChangeOptions, largestPage } from './options.ts'
import type { Send } from './send.ts'

export type Category = components['schemas']['Category']
export type CategoryQuery = NonNullable<operations['listCategories']['parameters']['query']>

/** The names of pet categories. */
export class Categories {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists the named categories by ascending number. */
  list(
    { cursor: first, limit = largestPage, ...query }: CategoryQuery = {},
    options: CallOptions = {},
  ): List<Category> {
    return makeList((cursor = first) =>
      this.#send('listCategories', { query: { limit, ...query, cursor } }, options),
    )
  }

  async get(categoryId: bigint, options: CallOptions = {}): Promise<Category> {
    return tagged(await this.#send('getCategory', { path: { categoryId } }, options))
  }

  /** Names a category or renames it. */
  async set(categoryId: bigint, name: string, options: ChangeOptions = {}): Promise<Category> {
    return tagged(await this.#send('setCategory', { path: { categoryId }, body: { name } }, options))
  }

  /** Removes the name of a category. Its pets keep the number. */
  async remove(categoryId: bigint, options: ChangeOptions = {}): Promise<void> {
    await this.#send('removeCategory', { path: { categoryId } }, options)
  }
}
