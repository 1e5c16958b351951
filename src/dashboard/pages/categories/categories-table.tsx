import type { CategoryRowFragment } from '../../generated/pages/graphql.ts'
import { useMark } from '../../ui/announce.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Table, unseen } from '../../ui/table.tsx'

export type Act = { act: 'rename' | 'remove'; category: CategoryRowFragment }
type Props = { missing: string | null; onAct(act: Act): void }

const columns = [
  ['Name'],
  ['Number', 'num col-l wide'],
  ['Pets', 'num col-m'],
  [unseen('Actions'), 'col-s'],
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
        <span className="small soft under narrow">Number {categoryId}</span>
      </th>
      <td className="num break soft wide">{categoryId}</td>
      <td className="num">{petCount.toLocaleString('en')}</td>
      <td className="num">
        <Menu
          label={`Actions for ${name}`}
          items={[
            { label: 'Rename', missing, act: () => onAct({ act: 'rename', category }) },
            { label: 'Remove', missing, danger: true, act: () => onAct({ act: 'remove', category }) },
          ]}
        />
      </td>
    </tr>
  )
}
