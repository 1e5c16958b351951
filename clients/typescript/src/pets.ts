import { tagged } from './etag.ts'
import type { components, operations } from './generated/openapi.ts'
import { collect, type Importable, type ImportFormat } from './importable.ts'
import { type List, makeList } from './list.ts'
import { type CallOptions, type ChangeOptions, type CreateOptions, largestPage } from './options.ts'
import type { Send } from './send.ts'

export type Pet = components['schemas']['Pet']
export type NewPet = components['schemas']['NewPet']
export type PetChange = components['schemas']['PetChange']
export type PetStatus = components['schemas']['PetStatus']
/** The pets that one call changes or deletes. `etags` are tags from `etagOf` that the pets must still have. */
export type PetsSelection = components['schemas']['PetsSelection']
export type PetsChange = components['schemas']['PetsChange']
/** Which pets to list; `limit` is the size of a page. */
export type PetQuery = NonNullable<operations['listPets']['parameters']['query']>

export type Imported = components['schemas']['Imported']
/** The default format is CSV for a CSV file, and NDJSON otherwise. */
export type ImportOptions = CreateOptions & { format?: ImportFormat | undefined }

/** Which pets to export, and in which format. */
export type ExportQuery = NonNullable<operations['exportPets']['parameters']['query']>

export class Pets {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Lists the pets by ascending id, fetched page by page during the loop. `pages()` returns whole pages. */
  list(
    { cursor: first, limit = largestPage, ...query }: PetQuery = {},
    options: CallOptions = {},
  ): List<Pet> {
    return makeList((cursor = first) =>
      this.#send('listPets', { query: { limit, ...query, cursor } }, options),
    )
  }

  /**
   * Streams an export as NDJSON or CSV: all pets, or those that match the filters. Deadline and signal apply until the
   * first byte. To stop the export, cancel the stream.
   */
  async export(query: ExportQuery = {}, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return (await this.#send('exportPets', { query }, options)).body
  }

  /** Imports up to 10,000 pets, all or none. They are added once, even if the network forces retries. */
  async import(source: Importable, { format, ...options }: ImportOptions = {}): Promise<Imported> {
    const body = await collect(source, format, options.signal)
    return (await this.#send('importPets', { body }, options)).body
  }

  /** Adds a pet once, even if the network forces retries. */
  async create(pet: NewPet, options: CreateOptions = {}): Promise<Pet> {
    return tagged(await this.#send('createPet', { body: pet }, options))
  }

  /**
   * Changes the given fields of a pet; a null status clears it. With `ifMatch`, no concurrent change is overwritten.
   */
  async update(petId: bigint, change: PetChange, options: ChangeOptions = {}): Promise<Pet> {
    return tagged(await this.#send('updatePet', { path: { petId }, body: change }, options))
  }

  /** Deletes a pet permanently. */
  async delete(petId: bigint, options: ChangeOptions = {}): Promise<void> {
    await this.#send('deletePet', { path: { petId } }, options)
  }

  /** Makes the same change to up to 1,000 pets, chosen by ids or a filter: to all of them or to none. */
  async updateMany(change: PetsChange, options: CallOptions = {}): Promise<bigint[]> {
    return (await this.#send('updatePets', { body: change }, options)).body.ids
  }

  /** Permanently deletes up to 1,000 pets, chosen by ids or a filter: all of them or none. */
  async deleteMany(selection: PetsSelection, options: CallOptions = {}): Promise<bigint[]> {
    return (await this.#send('deletePets', { body: selection }, options)).body.ids
  }

  /** @deprecated Removed on 5 December 2030; list the pets with a status instead. */
  async get(petId: bigint, options: CallOptions = {}): Promise<Pet> {
    return tagged(await this.#send('getPet', { path: { petId } }, options))
  }
}
