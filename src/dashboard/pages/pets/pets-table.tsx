import { Link } from '../../app/router.tsx'
import type { PetRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ChoosePage, ChooseRow, type Selection } from '../../ui/selection.tsx'
import type { Order } from '../../ui/sort.ts'
import { Table, unseen } from '../../ui/table.tsx'

export type Act = { act: 'edit' | 'order' | 'delete'; pet: PetRowFragment }
type Props = {
  missing: string | null
  missingForOrders: string | null
  selection: Selection<PetRowFragment>
  onAct(act: Act): void
}
export const tones = { available: 'good', pending: 'wait', sold: 'still' } as const

export const byId: Order = {
  ...{ ascending: 'oldest_first', descending: 'newest_first', usual: 'oldest_first' },
  labels: t.sorts.age,
}
const columns = (selection: Props['selection']) =>
  [
    [<ChoosePage key="all" selection={selection} />, 'col-check'],
    [t.pets.name],
    [t.pets.status, 'col-m'],
    [t.pets.category, 'col-l wide'],
    [t.pets.id, 'num col-l wide', byId],
    [unseen(t.pets.actions), 'col-s'],
  ] as const

export function PetsTable({ pets, ...rest }: Props & { pets: PetRowFragment[] }) {
  return (
    <Table columns={columns(rest.selection)} hasMenus isSortedAbove>
      {pets.map(pet => (
        <Row key={pet.id} pet={pet} {...rest} />
      ))}
    </Table>
  )
}

/** Matches a visible character. A name without any, such as a zero-width space, would make a link without a width. */
const visible = /[^\p{Default_Ignorable_Code_Point}\p{Z}]/u

function Row({ pet, missing, missingForOrders, selection, onAct }: Props & { pet: PetRowFragment }) {
  const { id, name, categoryId, category, status } = pet
  const canBeOrdered = status === null || status === 'available'
  return (
    <tr {...useMark(id)} data-chosen={selection.has(id) || undefined}>
      <ChooseRow selection={selection} id={id} name={name} />
      <th scope="row" className="break">
        <Link className="plain" to={{ page: 'pets', project: null, id }}>
          {visible.test(name) ? name : t.thing.pet.title(id)}
        </Link>
        <span className="small soft under narrow">
          {t.pets.idAndCategory(id, category?.name ?? t.pets.categoryNumber(categoryId))}
        </span>
      </th>
      <td>
        {status ? (
          <Badge tone={tones[status]}>{t.pets.statuses[status]}</Badge>
        ) : (
          <span className="soft">{t.pets.notSet}</span>
        )}
      </td>
      <td className="break soft wide">
        {category ? (
          <>
            {category.name} <span className="small">({categoryId})</span>
          </>
        ) : (
          categoryId
        )}
      </td>
      <td className="num break soft wide">{id}</td>
      <td className="num">
        <Menu
          label={t.pets.actionsForName(name)}
          items={[
            { label: t.pets.edit, missing, act: () => onAct({ act: 'edit', pet }) },
            ...(canBeOrdered
              ? [
                  {
                    label: t.pets.placeOrder,
                    missing: missingForOrders,
                    act: () => onAct({ act: 'order', pet }),
                  },
                ]
              : []),
            { label: t.pets.deleteIt, missing, danger: true, act: () => onAct({ act: 'delete', pet }) },
          ]}
        />
      </td>
    </tr>
  )
}
