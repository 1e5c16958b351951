import { StoreError } from '../../core/errors.ts'
import { findMemberIn } from '../../core/people/members.ts'
import {
  addOperator,
  listOperators,
  noSuchPerson,
  removeOperator,
  type ShownOperator,
} from '../../core/people/operators.ts'
import { logAct } from '../audit.ts'
import { type Context, requireOperator } from '../context.ts'
import type { MutationResolvers, OperatorResolvers, QueryResolvers } from '../generated/resolvers.ts'
import { makeId, readId } from '../ids.ts'
import { uuidIn } from './people-rights.ts'

export type { ShownOperator }

export const operatorQueries = {
  operators(_parent, _args, context) {
    requireOperator(context)
    return listOperators(context.tools.db)
  },
} satisfies QueryResolvers

export const operatorMutations = {
  async operatorAdd(_parent, { input: { id } }, context) {
    requireOperator(context)
    const { identity, tools } = context
    // Refuse an operator's session, so that a stolen session cannot make more operators.
    if (identity.kind === 'operator' && identity.person)
      throw new StoreError('insufficient_scope', 'Operators are made with an operator key.')
    const personId = await personIn(context, id)
    const operator = await addOperator(tools.db, personId)
    logAct(context, 'operator added', { person: personId })
    return { operator }
  },

  async operatorRemove(_parent, { input: { id } }, context) {
    requireOperator(context)
    const personId = await personIn(context, id)
    await removeOperator(context.tools.db, personId)
    logAct(context, 'operator removed', { person: personId })
    return { operatorId: makeId('person', personId) }
  },
} satisfies MutationResolvers

/** Returns the person's own id. `id` is the GraphQL id of the person or of one of the person's memberships. */
async function personIn({ tools }: Context, id: string): Promise<string> {
  const [, slug, uuid] = /^([^_]+)_(.+)$/.exec(readId('member', id) ?? '') ?? []
  const personId = uuidIn('person', uuid === undefined ? id : makeId('person', uuid), 'member_not_found')
  if (slug !== undefined && !(await findMemberIn(tools.db, slug, personId))) throw noSuchPerson()
  return personId
}

export const Operator = {
  id: ({ id }) => makeId('person', id),
} satisfies OperatorResolvers
