import type { Db } from '../db.ts'
import { type ErrorCode, StoreError } from '../errors.ts'
import type { Project } from '../project.ts'
import { includesDomains } from '../projects/plans.ts'

type Precondition = { met: boolean; code: ErrorCode | null; message: string }
export type DomainPreconditions = { met: boolean; plan: Precondition; deploy: Precondition }

export async function checkPreconditions(db: Db, project: Project): Promise<DomainPreconditions> {
  const deployed = await db.deploy.findFirst({
    where: { projectId: project.id, succeeded: true },
    select: { id: true },
  })
  return preconditionsOf(project, deployed !== null)
}

export function preconditionsOf(project: Project, isDeployed: boolean): DomainPreconditions {
  const plan = checkPlan(project)
  const deploy: Precondition = isDeployed
    ? { met: true, code: null, message: 'The project has been deployed.' }
    : {
        met: false,
        code: 'deploy_required',
        message: 'Deploy the project first: a domain needs something to serve.',
      }
  return { met: plan.met && deploy.met, plan, deploy }
}

function checkPlan({ planName }: Project): Precondition {
  return includesDomains(planName)
    ? { met: true, code: null, message: `The plan ${planName} has custom domains.` }
    : {
        met: false,
        code: 'plan_required',
        message: `Custom domains need the plan pro or above; this project is on ${planName}. Ask the operator for an upgrade.`,
      }
}

export async function requirePreconditions(db: Db, project: Project): Promise<void> {
  const { plan, deploy } = await checkPreconditions(db, project)
  for (const { code, message } of [plan, deploy]) if (code) throw new StoreError(code, message)
}

export function requirePlan(project: Project): void {
  const { code, message } = checkPlan(project)
  if (code) throw new StoreError(code, message)
}
