import type { Project } from '../../src/core/project.ts'
import { allWindows } from '../../src/core/projects/limits.ts'
import type { Tools } from '../../src/tools.ts'

/** Returns the requests that each window of the project has left, by the name of the window. */
export async function leftOf({ limiter }: Tools, project: Project): Promise<Record<string, number>> {
  const subject = String(project.id)
  const { windows } = await limiter.get(subject, { windows: allWindows(project) })
  return Object.fromEntries(windows.map(({ name, remaining }) => [name, remaining]))
}
