import { type FieldNode, type GraphQLObjectType, Kind } from 'graphql'
import { isOfStore } from './ids.ts'
import { collectFields, type Fragments, type Variables } from './selections.ts'

/** What a project is asked for costs what it costs at the root. */
export const projectLists: readonly string[] = [
  'apiKeys',
  'domains',
  'domain',
  'domainPreconditions',
  'deploys',
  'usage',
]

/**
 * What these nodes of one root field ask of a project. What a node asks of other types is left out, since there the same
 * key may stand for another field.
 */
export function namesWithin(
  project: GraphQLObjectType,
  nodes: readonly FieldNode[],
  fragments: Fragments,
  variables: Variables,
): string[] {
  if (!['project', 'node'].includes(nodes[0]?.name.value ?? '')) return []
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  return [...collectFields(sets, fragments, variables, project).values()].map(
    ([node]) => node?.name.value ?? '',
  )
}

/** Whether it is the `node` of what the store sells. */
export function asksForStore({ name, arguments: given = [] }: FieldNode, variables: Variables): boolean {
  if (name.value !== 'node') return false
  const id = given.find(each => each.name.value === 'id')?.value
  if (id?.kind === Kind.VARIABLE) return isOfStore(String(variables[id.name.value]))
  return id?.kind === Kind.INT || (id?.kind === Kind.STRING && isOfStore(id.value))
}
