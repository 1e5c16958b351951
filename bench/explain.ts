// Checks that PostgreSQL reads each page from an index, and reads no row beyond the page.
import type pg from 'pg'
import { nameOf, readPages, shapeOf } from '../src/core/pets/pages.ts'
import type { Project } from '../src/core/project.ts'
import type { Statements } from '../src/database/statements.ts'
import { withClient } from './database.ts'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}
/** `scans`: number of index scans for one page. `pets`: number of rows that they returned. */
export type Plan = { list: string; scans: number; pets: number }

const limit = 20

/**
 * Runs EXPLAIN ANALYZE for one page of each kind of list, once with PostgreSQL's custom plan and once with the generic
 * plan. Each page begins after the pet with the id `from`.
 */
export async function explainLists(databaseUrl: string, project: Project, from: number): Promise<Plan[]> {
  return withClient(databaseUrl, async client => {
    const plans: Plan[] = []
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      for (const page of pages(BigInt(from))) {
        const shape = shapeOf(page)
        let nodes: Node[] = []
        const database: Statements = {
          async run({ name, text, values }) {
            nodes = await explain(client, `${name}_${mode}`, text, values)
            return []
          },
        }
        await readPages(database, shape, [{ project, page }])
        plans.push(judge(nameOf(shape), nodes))
      }
    }
    return plans
  })
}

function pages(after: bigint) {
  return [false, true].flatMap(newestFirst =>
    [null, 'sold' as const].flatMap(status =>
      [null, 7n].map(categoryId => ({ limit, after, status, categoryId, name: null, newestFirst })),
    ),
  )
}

async function explain(
  client: pg.Client,
  name: string,
  text: string,
  values: Parameters<Statements['run']>[0]['values'],
): Promise<Node[]> {
  const lists = values.map(list => client.escapeLiteral(`{${[list].flat().map(value => value ?? 'NULL')}}`))
  await client.query(`prepare ${name} as ${text}`)
  const { rows } = await client.query(`explain (analyze, format json) execute ${name} (${lists})`)
  return [...nodesOf(rows[0]['QUERY PLAN'][0].Plan)]
}

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const plan of node.Plans ?? []) yield* nodesOf(plan)
}

function judge(list: string, nodes: Node[]): Plan {
  const ofPets = nodes.filter(node => node['Relation Name'] === 'pets')
  let pets = 0
  for (const node of ofPets) {
    const looked = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
    if (!/^Index (Only )?Scan/.test(node['Node Type']) || node['Actual Loops'] > 1 || looked > limit + 1)
      throw new Error(`${list} is read by ${JSON.stringify(node)}.`)
    pets += looked
  }
  return { list, scans: ofPets.length, pets }
}
