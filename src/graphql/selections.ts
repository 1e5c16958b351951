import {
  BREAK,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLDirective,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>
export type Variables = Readonly<Record<string, unknown>>

export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = document.definitions.filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
  return new Map(fragments.map(fragment => [fragment.name.value, fragment]))
}

/**
 * Collects the fields that execution will answer, by response key. Expands fragments, and merges fields with the same
 * response key. Drops the fields that @skip or @include excludes. If the type is known, also drops the fields of
 * fragments for other types.
 */
export function collectFields(
  sets: readonly SelectionSetNode[],
  fragments: Fragments,
  variables: Variables,
  type?: GraphQLObjectType,
): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  const opened = new Set<string>()
  for (const set of sets) collect(set)
  return fields

  function collect(set: SelectionSetNode): void {
    for (const selection of set.selections) {
      if (isSkipped(selection, variables)) continue
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value
        const same = fields.get(key)
        if (same) same.push(selection)
        else fields.set(key, [selection])
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (speaksOf(selection.typeCondition)) collect(selection.selectionSet)
      } else if (!opened.has(selection.name.value)) {
        opened.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment && speaksOf(fragment.typeCondition)) collect(fragment.selectionSet)
      }
    }
  }

  function speaksOf(condition: NamedTypeNode | undefined): boolean {
    if (!type || !condition) return true
    const name = condition.name.value
    return name === type.name || type.getInterfaces().some(each => each.name === name)
  }
}

function isSkipped(
  node: { readonly directives?: readonly DirectiveNode[] | undefined },
  variables: Variables,
): boolean {
  if (!node.directives?.length) return false
  return (
    condition(GraphQLSkipDirective, node, variables) === true ||
    condition(GraphQLIncludeDirective, node, variables) === false
  )
}

/** Evaluates @skip and @include. A condition without a usable value skips nothing here; execution will reject it. */
function condition(
  directive: GraphQLDirective,
  node: { readonly directives?: readonly DirectiveNode[] | undefined },
  variables: Variables,
): unknown {
  try {
    return getDirectiveValues(directive, node, variables)?.if
  } catch {
    return undefined
  }
}

/** True if variables change the selection, through a condition or an argument for which `matters` is true. */
export function dependsOnVariables(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  matters: (argument: string) => boolean,
): boolean {
  let depends = false
  for (const definition of [operation, ...fragments.values()]) {
    visit(definition, {
      Directive() {
        depends = true
        return BREAK
      },
      Argument({ name, value }) {
        depends ||= value.kind === Kind.VARIABLE && matters(name.value)
      },
    })
  }
  return depends
}
