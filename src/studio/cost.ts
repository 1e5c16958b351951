import type { Run } from '../database/database.ts'

/**
 * PostgreSQL's cost estimate that corresponds to some seconds in PGlite: counting eight million generated rows, or
 * reading three million pets.
 */
const mostCost = 100_000

type Plan = { 'Node Type': string; 'Total Cost': number; Plans?: Plan[] }

/**
 * Throws if PostgreSQL estimates that the statement takes long, because all other statements would wait for the
 * statement. The estimate ignores expensive functions, such as a regular expression on a long text. `lend` stops a
 * statement that uses too much CPU time in spite of a low estimate.
 */
export async function refuseLong(run: Run, sql: string, parameters: readonly unknown[] = []): Promise<void> {
  const [row = {}] = await run(`EXPLAIN (FORMAT JSON) ${sql}`, parameters)
  const [{ Plan: plan }] = row['QUERY PLAN'] as [{ Plan: Plan }]
  if (recurses(plan))
    throw new Error('Studio runs no recursive statement, since its duration cannot be estimated.')
  if (plan['Total Cost'] > mostCost)
    throw new Error(
      `This statement would take long, and all others would wait for it: its estimated cost is ${Math.round(plan['Total Cost'])}, and at most ${mostCost} is allowed. Read fewer rows.`,
    )
}

const recurses = (plan: Plan): boolean =>
  plan['Node Type'] === 'Recursive Union' || (plan.Plans ?? []).some(recurses)
