import { type Caller, holdsScope } from '../core/keys/caller.ts'
import { describeTool, type Tool } from './tool.ts'
import { categoryTools } from './tools/categories.ts'
import { domainTools } from './tools/domains.ts'
import { eventTools } from './tools/events.ts'
import { orderTools } from './tools/orders.ts'
import { petTools } from './tools/pets.ts'
import { projectTools } from './tools/project.ts'

export const allTools: readonly Tool[] = [
  ...petTools,
  ...categoryTools,
  ...orderTools,
  ...eventTools,
  ...domainTools,
  ...projectTools,
]

const byName = new Map(allTools.map(tool => [tool.name, tool]))
const described = new Map(allTools.map(tool => [tool, describeTool(tool)]))

export const findTool = (name: string): Tool | null => byName.get(name) ?? null

/** Lists the tools that the key may call, because each listed tool takes a part of the model's context. */
export function toolsFor(caller: Caller) {
  const allowed = allTools.filter(({ scope }) => scope === null || holdsScope(caller, scope))
  return allowed.flatMap(tool => described.get(tool) ?? [])
}
