import { InvalidArgumentError } from 'commander'

/** Checks the form of a time here, because the service's message about a wrong form names types of GraphQL. */
export function timeText(text: string): string {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/i.test(text))
    throw new InvalidArgumentError('It must be a time such as 2030-12-31T00:00:00Z.')
  return text
}
