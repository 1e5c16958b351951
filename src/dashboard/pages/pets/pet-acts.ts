import { type CombinedError, useClient } from 'urql'
import type { PetStatus } from '../../../generated/contract.ts'
import { askAgain } from '../../app/live.ts'
import { type Problem, problemOf } from '../../app/problem.ts'
import {
  DeletePetsDocument,
  type PetRowFragment,
  PetsDocument,
  type PetsQueryVariables,
  UpdatePetsDocument,
} from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { hideRows, isHidden, showRows } from '../../ui/hidden-rows.ts'

type Change = { status: PetStatus | null } | { categoryId: string }

/** The most pets that the store changes in one step. */
export const mostPetsAtOnce = 1000
const changed = { additionalTypenames: ['Pet', 'PetConnection'] }
const namesOf = (pets: readonly PetRowFragment[]) =>
  pets.length === 1 ? (pets[0]?.name ?? '') : t.pets.count(pets.length)

/** Actions on one or more pets. Each action changes all of the pets or none. */
export function usePetActs() {
  const client = useClient()
  const announce = useAnnounce()

  /**
   * Announces the store's reason, and highlights the pet that it names. Returns the pets without this pet if the store
   * does not have it any more.
   */
  const refuse = (text: string, pets: readonly PetRowFragment[], { code, message }: Problem) => {
    const named = /\bpet (\d+)\b/i.exec(message)?.[1]
    const about = pets.find(({ id }) => id === named)
    askAgain()
    announce(`${text} ${about ? `${about.name}: ` : ''}${message}`, about?.id, { isProblem: true })
    return code === 'pet_not_found' ? pets.filter(pet => pet !== about) : pets
  }
  /** Changes the pets that still have their etags. Returns the pets with their new etags. */
  const update = async (pets: readonly PetRowFragment[], change: Change) => {
    const input = { ids: idsOf(pets), change, etags: etagsOf(pets) }
    const { data, error } = await client.mutation(UpdatePetsDocument, { input }, changed).toPromise()
    const etags = data?.petsUpdate?.etags ?? []
    return { error, changed: pets.map((pet, index) => ({ ...pet, etag: etags[index] ?? pet.etag })) }
  }
  /**
   * Gives each pet its former value back. Pets with the same value are changed together. Throws `notUndone` at a pet
   * that someone has changed since.
   */
  const restore = async (pets: readonly PetRowFragment[], field: 'status' | 'categoryId') => {
    for (const [value, group] of Map.groupBy(pets, pet => pet[field])) {
      const change =
        field === 'status' ? { status: value as PetStatus | null } : { categoryId: String(value) }
      const { error } = await update(group, change)
      if (error) throw notUndone(error)
    }
    return t.pets.areAsTheyWere(pets.length, namesOf(pets))
  }

  return {
    /** Hides the pets, and deletes them when the time for undo ends. Skips pets that are hidden already. */
    remove(all: readonly PetRowFragment[]) {
      const pets = all.filter(({ id }) => !isHidden(id))
      if (pets.length === 0) return
      const ids = idsOf(pets)
      hideRows(ids)
      announce(t.pets.deletedPets(namesOf(pets)), undefined, {
        undo: async () => {
          showRows(ids)
          return t.pets.areBack(pets.length, namesOf(pets))
        },
        otherwise: async () => {
          const input = { ids, etags: etagsOf(pets) }
          const { error } = await client.mutation(DeletePetsDocument, { input }, changed).toPromise()
          if (!error) return
          showRows(ids)
          refuse(pets.length === 1 ? t.pets.notDeleted : t.pets.noPetWasDeleted, pets, problemOf(error))
        },
      })
    },
    /** Returns the pets that can be changed by another attempt: none if all are changed. */
    async change(
      pets: readonly PetRowFragment[],
      change: Change,
      done: (pets: string) => string,
    ): Promise<readonly PetRowFragment[]> {
      const { error, changed } = await update(pets, change)
      if (error) return refuse(t.pets.noPetWasChanged, pets, problemOf(error))
      announce(done(namesOf(pets)), pets.length === 1 ? pets[0]?.id : undefined, {
        undo: () => restore(changed, 'status' in change ? 'status' : 'categoryId'),
      })
      return []
    },
    /**
     * Reads all pets that match the filters, up to the most that one step may change. Announces an error and returns
     * null.
     */
    async findAll(filters: Omit<PetsQueryVariables, 'first' | 'after'>): Promise<PetRowFragment[] | null> {
      const found: PetRowFragment[] = []
      for (let after: string | null = null; ; ) {
        const variables: PetsQueryVariables = { ...filters, first: 100, after }
        const { data, error } = await client
          .query(PetsDocument, variables, { requestPolicy: 'network-only' })
          .toPromise()
        if (error || !data?.pets) {
          announce(t.pets.petsCouldNotBeLoadedBecause(error ? problemOf(error).message : ''), undefined, {
            isProblem: true,
          })
          return null
        }
        found.push(...data.pets.nodes)
        const { hasNextPage, endCursor } = data.pets.pageInfo
        if (!hasNextPage || found.length >= mostPetsAtOnce) return found.slice(0, mostPetsAtOnce)
        after = endCursor
      }
    },
  }
}

/** Returns the error of a failed Undo, with a message for the reader. */
export function notUndone(error: CombinedError): Error {
  const { code, message } = problemOf(error)
  const hasChanged = code === 'precondition_failed' || code === 'pet_not_found'
  return new Error(hasChanged ? t.pets.couldNotBeUndoneAfterChange : t.pets.couldNotBeUndone(message))
}

const idsOf = (pets: readonly PetRowFragment[]) => pets.map(({ id }) => id)
const etagsOf = (pets: readonly PetRowFragment[]) => pets.map(({ id, etag }) => ({ id, etag }))
