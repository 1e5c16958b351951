import type { Project } from '../../core/project.ts'
import { deployCharge, deployRefusal } from '../../core/projects/limits.ts'
import { acceptedOrRefused } from '../../limiter/decision.ts'
import type { Context } from '../context.ts'

/** Charges one of the deploys that a project has per hour, or throws if none is left. */
export async function chargeDeploy({ tools: { limiter } }: Context, project: Project): Promise<void> {
  const charge = deployCharge(project)
  const decision = await acceptedOrRefused(limiter.consume(charge.subject, charge.points, charge))
  if (decision.outcome !== 'accepted') throw deployRefusal(decision)
}
