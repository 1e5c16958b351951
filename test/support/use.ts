import type { App, TestProject } from './start-app.ts'

type Use = { served: number; faulty: number; failed: number; refusals: number }

/** Reads the usage of a project from the database, without a request to the service. */
export async function readUse(app: App, { project }: TestProject): Promise<Use> {
  await app.tools.usageCounter.flush()
  const rows = await app.tools.db.usage.findMany({ where: { projectId: project.id } })
  const sum = (field: 'requests' | 'faulty' | 'failed' | 'refusals') =>
    rows.reduce((all, row) => all + Number(row[field]), 0)
  const [faulty, failed] = [sum('faulty'), sum('failed')]
  return { served: sum('requests') - faulty - failed, faulty, failed, refusals: sum('refusals') }
}
