import { runPieceInTurn } from '../../database/pieces.ts'
import type { Statements } from '../../database/statements.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import { StoreError } from '../errors.ts'
import type { LongWork } from '../long-work.ts'
import type { Project } from '../project.ts'
import type { PetSelection } from './bulk-rules.ts'
import { mostAtOnce, tooManyMatches } from './bulk-rules.ts'
import { changeAll, deleteAll, type KnownPet } from './bulk-statements.ts'
import { type Pet, type PetChange, tagOfPet } from './columns.ts'
import { exportPets, priceOfExport } from './export.ts'
import { priceOfImport } from './import.ts'
import { thenInvalidatePages } from './invalidate-pages.ts'
import { type Pets, petAltered, petInOrder, petNotFound } from './pets.ts'

type Tools = {
  pets: Pets
  database: Statements
  limiter: Pick<Limiter, 'renewVersion'>
  longWork: Pick<LongWork, 'inOneProcess'>
}
/** The pets that one request changes, their required versions, and the cost of the request. */
export type FoundPets = { selection: PetSelection; pets: KnownPet[]; price: number }

const mostAttempts = 5
/**
 * A change of more pets than this is long work. The long changes of one project run one after the other, and let
 * requests of other projects go first.
 */
const mostWithoutTurn = 100

/**
 * Finds the selected pets. A selection by name costs at least as much as an export with the same filter, a selection by
 * other filters at least one request, and a selection with version tags at least as much as a change of the pets that
 * have tags. Calls `payReading` with this cost before any pet is read, because a refused request pays it too. If
 * `payReading` throws, no pet is read. A selection by ids alone reads no pets here.
 */
export async function findSelectedPets(
  { pets, database }: Tools,
  project: Project,
  selection: PetSelection,
  payReading: (price: number) => Promise<void> = async () => {},
): Promise<FoundPets> {
  const priceOfReading = selection.filters?.name
    ? await priceOfExport(database, project, selection.filters)
    : priceOfImport(project, selection.tags.size)
  if (selection.filters || selection.tags.size > 0) await payReading(priceOfReading)
  const found = selection.filters
    ? await findByFilters(pets, project, selection)
    : await findByIds(pets, project, selection)
  const price = Math.max(priceOfImport(project, found.length), priceOfReading)
  return { selection, pets: found, price }
}

/**
 * Changes all of the pets or none, and returns the changed pets. As soon as the returned promise resolves, no
 * process shows a page of pets from before the change.
 */
export const updatePets = (tools: Tools, project: Project, found: FoundPets, change: PetChange) =>
  actOnAll(tools, project, found, pets => changeAll(tools.database, project, pets, change))

/**
 * Deletes all of the pets or none, and returns the deleted pets. As soon as the returned promise resolves, no
 * process shows a page of pets from before the deletion.
 */
export const deletePets = (tools: Tools, project: Project, found: FoundPets) =>
  actOnAll(tools, project, found, pets => deleteAll(tools.database, project, pets))

function actOnAll(
  { pets, limiter, longWork }: Tools,
  project: Project,
  { selection, pets: known }: FoundPets,
  act: (pets: KnownPet[]) => ReturnType<typeof deleteAll>,
): Promise<Pet[]> {
  const paid = new Set(known.map(({ id }) => id))
  return thenInvalidatePages(limiter, project, async () => {
    let meant = known
    for (let attempt = 1; ; attempt++) {
      const outcomes = await (meant.length > mostWithoutTurn
        ? longWork.inOneProcess('changes', project, () => runPieceInTurn(project.id, () => act(meant)))
        : act(meant))
      const failed = outcomes.find(({ is }) => is !== 'done')
      if (!failed) return outcomes.flatMap(({ pet }) => pet ?? [])
      const isStale = failed.is === 'altered' || failed.is === 'missing'
      if (!selection.filters || !isStale) throw refusalOf(failed)
      if (attempt === mostAttempts) throw keptChanging()
      // Some pets have changed: read again which ones still match the filter. Leave out pets that match only since then,
      // because nobody has paid for them.
      meant = (await findByFilters(pets, project, selection)).filter(({ id }) => paid.has(id))
    }
  })
}

function refusalOf({ id, is }: Awaited<ReturnType<typeof deleteAll>>[number]): StoreError {
  if (is === 'missing') return petNotFound(id)
  return is === 'in order' ? petInOrder(id) : petAltered(id)
}

const keptChanging = () =>
  new StoreError(
    'precondition_failed',
    'Pets kept changing while the filter selected them; send the request again.',
  )

async function findByIds(pets: Pets, project: Project, { ids, tags }: PetSelection): Promise<KnownPet[]> {
  return Promise.all(
    ids.map(async id => {
      const tag = tags.get(id)
      if (tag === undefined) return { id, known: null }
      const pet = await pets.find(project, id)
      if (tagOfPet(pet) !== tag) throw petAltered(id)
      return { id, known: pet.version }
    }),
  )
}

async function findByFilters(pets: Pets, project: Project, { filters }: PetSelection): Promise<KnownPet[]> {
  const found: KnownPet[] = []
  for await (const page of exportPets(
    pets,
    project,
    filters ?? { status: null, categoryId: null, name: null },
  )) {
    found.push(...page.map(({ id, version }) => ({ id, known: version })))
    if (found.length > mostAtOnce) throw tooManyMatches()
  }
  return found
}
