import { makeCursor } from '../../core/cursor.ts'
import { scopeFor } from '../../core/keys/caller.ts'
import { parseCategoryName, readCategoryId, setCategory } from '../../core/pets/categories.ts'
import { listCategories, parseCategoriesRequest } from '../../core/pets/category-list.ts'
import { countByCategory } from '../../core/pets/inventory.ts'
import type { Project } from '../../core/project.ts'
import type { Tools } from '../../tools.ts'
import { pageOf, requiredText, textOf } from '../arguments.ts'
import { fitPage, plain } from '../fit.ts'
import { idArgument, pageArguments, type Tool } from '../tool.ts'

export const categoryTools: Tool[] = [
  {
    name: 'list_categories',
    title: 'List categories',
    description: 'Lists the categories that have a name, with their number of pets.',
    scope: scopeFor.listCategories,
    budget: 'store',
    effect: 'reads',
    input: { name: { type: 'string', maxLength: 100, description: 'Part of the name' }, ...pageArguments },
    async run({ tools, caller: { project }, args }) {
      const query = { ...pageOf(args), name: textOf(args, 'name') }
      const { page, name } = parseCategoriesRequest(project, { limit: 'limit', after: 'cursor' }, query)
      const found = await listCategories(tools.db, project, page, name)
      const counts = await countPets(tools, project, found.items)
      const { items, ...rest } = fitPage(
        found.items.map((category, index) => ({ ...category, petCount: counts[index] ?? 0 })),
        found.nextCursor,
        ({ version, ...category }) => plain(category),
        ({ id }) => makeCursor(project, id, 'categories'),
      )
      return { categories: items, ...rest }
    },
  },
  {
    name: 'name_category',
    title: 'Name a category',
    description: 'Names a category or replaces its name.',
    scope: scopeFor.setCategory,
    budget: 'store',
    effect: 'changes',
    input: { categoryId: idArgument(), name: { type: 'string', maxLength: 100 } },
    required: ['categoryId', 'name'],
    async run({ tools, caller: { project }, args }) {
      const name = parseCategoryName(args.name)
      const id = readCategoryId(requiredText(args, 'categoryId'))
      const { version, ...category } = (await setCategory(tools, project, id, name)).category
      const [petCount] = await countPets(tools, project, [category])
      return { category: plain({ ...category, petCount }) }
    },
  },
]

const countPets = ({ database }: Tools, project: Project, categories: readonly { id: bigint }[]) =>
  countByCategory(
    database,
    project,
    categories.map(({ id }) => id),
  )
