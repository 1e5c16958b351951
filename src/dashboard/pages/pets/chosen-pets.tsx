import { useState } from 'react'
import { disarmFormulas } from '../../../../clients/typescript/src/formulas.ts'
import { quoted } from '../../app/csv-cell.ts'
import type { PetRowFragment, PetsQueryVariables } from '../../generated/pages/graphql.ts'
import { number } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { Menu } from '../../ui/menu.tsx'
import { ChosenBar, type Selection } from '../../ui/selection.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { MoveToCategory } from './move-to-category.tsx'
import { mostPetsAtOnce, usePetActs } from './pet-acts.ts'

const statuses = [
  { status: 'available', label: t.pets.available },
  { status: 'pending', label: t.pets.pending },
  { status: 'sold', label: t.pets.sold },
  { status: null, label: t.pets.withoutStatus },
] as const

type Props = {
  selection: Selection<PetRowFragment>
  filters: Omit<PetsQueryVariables, 'first' | 'after'>
  hasMore: boolean
  missing: string | null
}

export function ChosenPets({ selection, filters, hasMore, missing }: Props) {
  const { chosen, clear, choose } = selection
  const acts = usePetActs()
  const [isMoving, setIsMoving, close] = useDialog<true>()
  const [busy, setBusy] = useState(false)
  const announce = useAnnounce()
  /** Acts on the chosen pets, unless they are more than the store changes in one step. */
  const ifNotTooMany = (act: () => unknown) => {
    if (chosen.length <= mostPetsAtOnce) act()
    else announce(t.pets.atMostPetsAtOnce(number(mostPetsAtOnce)), undefined, { isProblem: true })
  }
  const doing = async (work: () => Promise<unknown>) => {
    if (busy) return
    setBusy(true)
    await work()
    setBusy(false)
  }
  const mark = ({ status }: (typeof statuses)[number]) =>
    doing(async () => choose(await acts.change(chosen, { status }, t.pets.marked[status ?? 'unset'])))
  const chooseAll = () =>
    doing(async () => {
      const all = await acts.findAll(filters)
      if (all) choose(all)
    })
  const remove = () => {
    acts.remove(chosen)
    clear()
  }
  return (
    <>
      <ChosenBar
        selection={selection}
        what={t.pets.pets}
        onAll={hasMore ? () => void chooseAll() : null}
        isLoadingAll={busy}
      >
        <Menu
          label={t.pets.markAsChosenPets}
          text={t.pets.markAs}
          isUp
          items={statuses.map(each => ({
            label: each.label,
            missing,
            act: () => ifNotTooMany(() => mark(each)),
          }))}
        />
        <Button missing={missing} busy={busy} onClick={() => ifNotTooMany(() => setIsMoving(true))}>
          {t.pets.move}
        </Button>
        <Button onClick={() => download('pets.csv', new Blob([toCsv(chosen)], { type: 'text/csv' }))}>
          {t.pets.exportIt}
        </Button>
        <Button kind="danger" missing={missing} busy={busy} onClick={() => ifNotTooMany(remove)}>
          {t.pets.deleteIt}
        </Button>
      </ChosenBar>
      {isMoving && (
        <MoveToCategory
          count={chosen.length}
          onMove={async categoryId => {
            choose(await acts.change(chosen, { categoryId }, t.pets.movedTo(categoryId)))
          }}
          onClose={close}
        />
      )}
    </>
  )
}

/** Formats the pets like the store's export with `safe=1`, which an import accepts. */
function toCsv(pets: readonly PetRowFragment[]): string {
  const lines = pets.map(({ id, name, categoryId, status }) =>
    [id, disarmFormulas(name), categoryId, status ?? '', '1'].map(quoted).join(','),
  )
  return ['id,name,categoryId,status,safe', ...lines].map(line => `${line}\r\n`).join('')
}
