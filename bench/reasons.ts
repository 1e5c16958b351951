/** Why a goal is hard to reach, for the report of a run that missed it; by the goal's work. */
export const reasons: Readonly<Record<string, string>> = {
  'REST list, hot':
    'beside the Redis call and the write, which the bare server has as well, a request finds its key, weighs two windows and a ban, sends 25 headers and writes a log line; no single part of that is large.',
  '401': 'a key that nobody issued has to be looked for in PostgreSQL, while the keys of a list are known.',
  'Flood of 401': 'the look-ups share the one core, and the few statements under way, with everybody else.',
  'GraphQL list': 'the body has to be read and the answer found by it; the floor is that of a REST list.',
  'GraphQL create': 'beside the statement there is the body to read, the variables to judge, and graphql-js.',
  'The mix':
    'every write ends what is kept of its project, and no page is trusted for longer than 150 ms, so that at thirty requests a second and project most reads have to ask PostgreSQL; what they ask together shares a statement.',
  '10,000,000 pets of 10,000 projects':
    'of ten thousand projects none is asked for within the 900 ms for which its key is trusted, so each request looks its key up; with ten projects none does.',
  'Memory under load': 'the kept pages and answers, and the collector that waits for more to collect.',
}
