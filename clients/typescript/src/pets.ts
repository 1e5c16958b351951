import type { components, operations } from './generated/openapi.ts'
import { type List, makeList } from './list.ts'
import { type CallOptions, type CreateOptions, largestPage } from './options.ts'
import type { Send } from './send.ts'

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
export type PetStatus = components['schemas']['PetStatus']
/** Which pets to list; `limit` is the size of a page. */
export type PetQuery = NonNullable<operations['listPets']['parameters']['query']>

export class Pets {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The pets by ascending id, fetched page by page as a loop comes to them; `pages()` gives the pages themselves. */
  list({ cursor: first, ...query }: PetQuery = {}, options: CallOptions = {}): List<Pet> {
    return makeList((cursor = first) =>
      this.#send('listPets', { query: { limit: largestPage, ...query, cursor } }, options),
    )
  }

  /** Adds a pet, once, however often the network makes it ask. */
  async create(pet: NewPet, options: CreateOptions = {}): Promise<Pet> {
    return (await this.#send('createPet', { body: pet }, options)).body
  }

  /** @deprecated Removed on 5 December 2030; list the pets with a status instead. */
  async get(petId: bigint, options: CallOptions = {}): Promise<Pet> {
    return (await this.#send('getPet', { path: { petId } }, options)).body
  }
}
