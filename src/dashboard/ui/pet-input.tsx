import { useMemo } from 'react'
import { useQuery } from '../app/operations.ts'
import { useMissing } from '../app/session.ts'
import { PetNamesDocument, PetVersionDocument } from '../generated/pages/graphql.ts'
import { type Named, Picker, type PickerProps, usePaused } from './picker.tsx'

/** A field for a pet: suggests pets by a part of their name, and takes any id. */
export const PetInput = (props: PickerProps) => <Picker {...props} useNamed={usePets} />

/** Finds the pets whose name contains the text, and the pet with this id. */
function usePets(typed: string, isUsed: boolean): readonly Named[] {
  const missing = useMissing('pets_read')
  const name = usePaused(typed)
  const id = /^\d+$/.test(typed) ? typed : ''
  const [{ data: found }] = useQuery({
    query: PetNamesDocument,
    variables: { name },
    pause: !isUsed || missing !== null || name === '',
  })
  const [{ data: one }] = useQuery({
    query: PetVersionDocument,
    variables: { id },
    requestPolicy: 'cache-first',
    pause: !isUsed || missing !== null || id === '',
  })
  const pet = one?.node && 'name' in one.node ? one.node : null
  return useMemo(() => {
    const named = (found?.pets.nodes ?? []).map(each => ({ number: each.id, name: each.name }))
    return pet && named.every(({ number }) => number !== pet.id)
      ? [{ number: pet.id, name: pet.name }, ...named]
      : named
  }, [found, pet])
}
