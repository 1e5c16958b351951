import {
  type AnyVariables,
  type UseMutationResponse,
  type UseQueryArgs,
  type UseQueryResponse,
  useMutation as useUrqlMutation,
  useQuery as useUrqlQuery,
} from 'urql'

/**
 * No root field is null here, because a null root field comes with an error, and client.ts drops the data of an answer
 * with an error.
 */
export type Whole<Data> = { [Field in keyof Data]: NonNullable<Data[Field]> }

export function useQuery<Data, Variables extends AnyVariables>(
  args: UseQueryArgs<Variables, Data>,
): UseQueryResponse<Whole<Data>, Variables> {
  return useUrqlQuery(args) as UseQueryResponse<Whole<Data>, Variables>
}

export function useMutation<Data, Variables extends AnyVariables>(
  operation: Parameters<typeof useUrqlMutation<Data, Variables>>[0],
): UseMutationResponse<Whole<Data>, Variables> {
  return useUrqlMutation(operation) as UseMutationResponse<Whole<Data>, Variables>
}
