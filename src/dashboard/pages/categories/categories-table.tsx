import type { CategoryRowFragment } from '../../generated/pages/graphql.ts'
import { number } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useMark } from '../../ui/announce.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Table, unseen } from '../../ui/table.tsx'

export type Act = { act: 'rename' | 'remove'; category: CategoryRowFragment }
type Props = { missing: string | null; onAct(act: Act): void }

const columns = [
  [t.categories.name],
  [t.categories.numberLabel, 'num col-l wide'],
  [t.categories.pets, 'num col-m'],
  [unseen(t.categories.actions), 'col-s'],
] as const

export function CategoriesTable({ categories, ...rest }: Props & { categories: CategoryRowFragment[] }) {
  return (
    <Table columns={columns} hasMenus>
      {categories.map(category => (
        <Row key={category.id} category={category} {...rest} />
      ))}
    </Table>
  )
}

function Row({ category, missing, onAct }: Props & { category: CategoryRowFragment }) {
  const { id, categoryId, name, petCount } = category
  return (
    <tr {...useMark(id)}>
      <th scope="row" className="break">
        {name}
        <span className="small soft under narrow">{t.categories.numberCategoryId(categoryId)}</span>
      </th>
      <td className="num break soft wide">{categoryId}</td>
      <td className="num">{number(petCount)}</td>
      <td className="num">
        <Menu
          label={t.categories.actionsForName(name)}
          items={[
            { label: t.categories.rename, missing, act: () => onAct({ act: 'rename', category }) },
            {
              label: t.categories.remove,
              missing,
              danger: true,
              act: () => onAct({ act: 'remove', category }),
            },
          ]}
        />
      </td>
    </tr>
  )
}
