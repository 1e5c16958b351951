import { type GraphQLResolveInfo, Kind } from 'graphql'
import { type Fault, invalidInput } from '../core/errors.ts'
import { givenIn } from '../core/given.ts'
import { holdsScope } from '../core/keys/caller.ts'
import { type FoundPets, findSelectedPets } from '../core/pets/bulk.ts'
import { type PetSelection, parsePetSelection } from '../core/pets/bulk-rules.ts'
import { priceOfImport } from '../core/pets/import.ts'
import { parsePetChange, requireChange } from '../core/pets/rules.ts'
import { chargeCaller, mayAsk, payReading } from '../http/charge.ts'
import { addHeader } from '../http/headers.ts'
import { argumentsOf } from './arguments.ts'
import { type Context, storeCaller } from './context.ts'
import type { FieldToCheck } from './cost.ts'
import type { PetsDeleteInput, PetsUpdateInput } from './generated/resolvers.ts'
import { withinInput } from './input.ts'
import type { Variables } from './selections.ts'

const bulkMutations = ['petsUpdate', 'petsDelete', 'updatePets', 'deletePets'].map(name => `Mutation.${name}`)

export const isBulk = (name: string) => bulkMutations.includes(name)

/**
 * Finds the pets that the bulk mutations of an operation change, because the number of pets sets the cost. Returns the
 * number of requests to charge in addition to the cost of the fields. An error, for example for an invalid input, is
 * not thrown here, because the resolver reports the error later. After an error, the result contains only the cost of
 * the work that was done before the error; the resolvers charge for the rest. Reading pets is charged at once, before
 * the pets are read, and is also part of the result.
 */
export async function findBulk(
  context: Context,
  fields: readonly FieldToCheck[],
  variables: () => Variables,
): Promise<number> {
  const { identity, tools, operation, response } = context
  const bulk = fields.filter(({ name }) => isBulk(name))
  if (bulk.length === 0 || identity.kind !== 'caller') return 0
  const { caller } = identity
  let beyond = 0
  try {
    if (!holdsScope(caller, 'pets:write') || !(await mayAsk(tools, caller))) return 0
    for (const mutation of bulk) {
      const selection = await readSelection(mutation, variables)
      if (!selection) continue
      const key = mutation.path.join('.')
      const others = beyond
      const found = await findSelectedPets(tools, caller.project, selection, async price => {
        operation.bulk.set(key, { paid: price, found: null })
        beyond = others + price - 1
        await payReading(tools, response, { door: 'graphql', store: price, management: 0 })
      })
      operation.bulk.set(key, { paid: found.price, found })
      beyond = others + found.price - 1
    }
  } catch {
    return beyond
  }
  return beyond
}

/**
 * Returns the number of requests that the bulk mutations by ids cost in addition to the cost of the fields. Reads no
 * pets, so that explaining a cost stays cheap. Adds nothing for a mutation with a filter or with an invalid input.
 */
export async function explainBulk(
  { identity }: Context,
  fields: readonly FieldToCheck[],
  variables: () => Variables,
): Promise<number> {
  if (identity.kind !== 'caller') return 0
  let beyond = 0
  for (const mutation of fields.filter(({ name }) => isBulk(name))) {
    const selection = await readSelection(mutation, variables).catch(() => null)
    beyond += priceOfImport(identity.caller.project, selection?.ids.length ?? 0) - 1
  }
  return beyond
}

/** Returns null if the mutation has no readable input. Throws if the input is invalid. */
async function readSelection(
  { field, node }: FieldToCheck,
  variables: () => Variables,
): Promise<PetSelection | null> {
  const { input } = argumentsOf(field, node, variables()) as { input?: PetsDeleteInput }
  return input ? (await readBulk(input)).selection : null
}

/** Parses the selection of pets and, for an update, the change. */
export async function readBulk(input: PetsDeleteInput | PetsUpdateInput) {
  const selection = await withinInput(() => {
    const faults: Fault[] = []
    const pets = parsePetSelection(givenIn(input), faults)
    if (faults.length > 0) throw invalidInput(faults)
    return pets
  })
  if (!('change' in input)) return { selection, change: {} }
  const change = await withinInput(() => parsePetChange(givenIn(input.change, 'status')), 'input.change')
  return { selection, change: requireChange('input.change', change) }
}

/**
 * Returns the pets that a bulk mutation changes. Charges only for pets that were not charged before the operation ran,
 * and charges for reading pets before it reads them.
 */
export async function findPaid(
  context: Context,
  { path, operation }: GraphQLResolveInfo,
  selection: PetSelection,
): Promise<FoundPets> {
  const { tools, response } = context
  const before = context.operation.bulk.get(String(path.key))
  // Find the pets again if the selection has a filter and the operation has several mutations: an earlier mutation may
  // have changed which pets match the filter. A fragment counts as several mutations, because a fragment can contain
  // more than one mutation.
  const [first, ...others] = operation.selectionSet.selections
  const isAlone = first?.kind === Kind.FIELD && others.length === 0
  if (before?.found && (!selection.filters || isAlone)) return before.found
  const caller = storeCaller(context)
  let paid = before?.paid ?? 1
  const pay = async (price: number) => {
    const missing = price - paid
    if (missing <= 0) return
    await chargeCaller(tools, response, caller, { door: 'graphql', store: missing, management: 0 })
    paid = price
    const { store = missing, management = 0 } = response.locals.bill ?? {}
    addHeader(response, 'X-RateLimit-Cost', String(store + management))
  }
  const found = await findSelectedPets(tools, caller.project, selection, pay)
  await pay(found.price)
  return found
}
