import { batch } from '../../database/batch.ts'
import type { Statements } from '../../database/statements.ts'
import { makeCursor } from '../cursor.ts'
import { StoreError } from '../errors.ts'
import type { Project } from '../project.ts'
import { type Changed, openPetChanges } from './changes.ts'
import type { NewPet, Pet, PetChange } from './columns.ts'
import { openNameSearch } from './name-search.ts'
import {
  type FoundPage,
  nameOf,
  type PageRequest,
  type PetPage,
  type RequestedPage,
  readPages,
  shapeOf,
} from './pages.ts'
import { createPets, type RequestedPet, readPets } from './statements.ts'

/** Access to the pets of all projects. Concurrent requests share a statement. */
export type Pets = {
  /**
   * Lists a page of the project's pets by ascending id, or newest first. New pets get higher ids, so they do not move
   * the pets of the next pages. A page is full unless it is the last, or a search by name has examined as many pets as
   * one page may.
   */
  list(project: Project, page: PageRequest): Promise<PetPage>
  /**
   * Like `list`, but for callers that read a whole list. A search by name examines only a few pets a page, so the page
   * may be short or empty.
   */
  listPart(project: Project, page: PageRequest): Promise<PetPage>
  find(project: Project, id: bigint): Promise<Pet>
  createPet(project: Project, input: NewPet): Promise<Pet>
  /** Refuses the change if `known` is given and is not the pet's current version. `delete` does this too. */
  update(project: Project, id: bigint, change: PetChange, known: number | null): Promise<Pet>
  delete(project: Project, id: bigint, known: number | null): Promise<void>
}

export function openPets(database: Statements): Pets {
  const readers = new Map<string, (requested: RequestedPage) => Promise<FoundPage>>()

  function readPage(requested: RequestedPage): Promise<FoundPage> {
    const shape = shapeOf(requested.page)
    const name = nameOf(shape)
    const read =
      readers.get(name) ?? batch((all: readonly RequestedPage[]) => readPages(database, shape, all))
    readers.set(name, read)
    return read(requested)
  }

  const search = openNameSearch(database, readPage)

  const one = batch((requested: readonly RequestedPet[]) => readPets(database, requested))
  const changes = openPetChanges(database)
  const createPet = batch((requested: readonly RequestedPet<NewPet>[]) => createPets(database, requested))

  return {
    list: async (project, page) => toPetPage({ project, page }, await search({ project, page })),
    listPart: async (project, page) => toPetPage({ project, page }, await readPage({ project, page })),
    async find(project, id) {
      const pet = await one({ project, pet: id })
      if (!pet) throw petNotFound(id)
      return pet
    },
    createPet: (project, input) => createPet({ project, pet: input }),
    async update(project, id, change, known) {
      return requireChanged(id, await changes.update({ project, id, known, change }))
    },
    async delete(project, id, known) {
      requireChanged(id, await changes.delete({ project, id, known }))
    },
  }
}

function toPetPage({ project, page }: RequestedPage, { pets: found, lookedTo }: FoundPage): PetPage {
  const pets = found.slice(0, page.limit)
  const behind = found[page.limit]?.id ?? null
  const endsAt = behind === null ? lookedTo : (pets.at(-1)?.id ?? null)
  const nextCursor = endsAt === null ? null : makeCursor(project, endsAt, listOf(page))
  // A page sorted newest first may change with every new pet.
  return { pets, nextCursor, lastId: page.newestFirst ? null : (behind ?? lookedTo) }
}

/** A cursor is valid only for its own sort order. */
export const listOf = ({ newestFirst }: Pick<PageRequest, 'newestFirst'>) =>
  newestFirst ? 'newest pets' : 'pets'

function requireChanged(id: bigint, changed: Changed): Pet {
  if (changed === 'missing') throw petNotFound(id)
  if (changed === 'altered') throw petAltered(id)
  if (changed === 'in order') throw petInOrder(id)
  return changed
}

export const petNotFound = (id: bigint) => new StoreError('pet_not_found', `There is no pet ${id}.`)

export const petInOrder = (id: bigint) =>
  new StoreError('pet_in_order', `Pet ${id} is in an open order; deliver or cancel that first.`)

export const petAltered = (id: bigint) =>
  new StoreError('precondition_failed', `Pet ${id} has changed; read it again, then change it.`)

export type { NewPet, Pet, PetChange }
