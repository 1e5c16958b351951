import {
  type GraphQLField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  getNamedType as namedTypeOf,
} from 'graphql'
import type { Scope } from '../../src/core/keys/scopes.ts'

/** Writes an operation with only this root field. If the operation issues a key, the key gets the scope `own`. */
export function composeField(kind: string, field: GraphQLField<unknown, unknown>, own: Scope): string {
  const given = field.args
    .filter(isRequiredArgument)
    .map(({ name, type }) => `${name}: ${literal(type, own)}`)
  const selected = isLeafType(namedTypeOf(field.type)) ? '' : '{ __typename }'
  return `${kind} { ${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${selected} }`
}

function literal(type: GraphQLInputType, own: Scope): string {
  if (isNonNullType(type)) return literal(type.ofType, own)
  if (isListType(type)) return `[${literal(type.ofType, own)}]`
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(isRequiredInputField)
    return `{ ${fields.map(field => `${field.name}: ${literal(field.type, own)}`).join(', ')} }`
  }
  // A key cannot grant a scope that the key itself lacks, so the new key gets only the scope `own`.
  if (isEnumType(type))
    return type.name === 'Scope' ? own.replace(':', '_') : (type.getValues()[0]?.name ?? '')
  return type.name === 'Boolean' ? 'true' : type.name === 'Int' ? '1' : '"999999999"'
}
