import type { CategoryRowFragment } from '../../generated/pages/graphql.ts'
import { useMark } from '../../ui/announce.tsx'
import { Menu } from '../../ui/menu.tsx'

export type Act = { act: 'rename' | 'remove'; category: CategoryRowFragment }
type Props = { missing: string | null; onAct(act: Act): void }

export function CategoriesTable({ categories, ...rest }: Props & { categories: CategoryRowFragment[] }) {
  return (
    <div className="card flush menus">
      <table className="fixed">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className="num col-l wide">
              Number
            </th>
            <th scope="col" className="num col-m">
              Pets
            </th>
            <th scope="col" className="col-s">
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {categories.map(category => (
            <Row key={category.id} category={category} {...rest} />
          ))}
        </tbody>
      </table>
    </div>
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
