import { describe, expect, it } from 'vitest'
import {
  checkPreconditions,
  requirePlan,
  requirePreconditions,
} from '../../../src/core/domains/preconditions.ts'
import { type Project, requireServed } from '../../../src/core/project.ts'
import { canRace, prepareOwnDatabase } from '../../support/open-database.ts'

describe.skipIf(!canRace())('preconditions of domains', () => {
  const own = prepareOwnDatabase()
  const hasPlan = { met: true, code: null, message: 'The plan pro has custom domains.' }
  const lacksPlan = {
    ...{ met: false, code: 'plan_required' },
    message:
      'Custom domains need the plan pro or above; this project is on free. Ask the operator for an upgrade.',
  }
  const isDeployed = { met: true, code: null, message: 'The project has been deployed.' }
  const notDeployed = {
    ...{ met: false, code: 'deploy_required' },
    message: 'Deploy the project first: a domain needs something to serve.',
  }

  it.each([
    ['pro', [true, false], hasPlan, isDeployed, null],
    ['pro', [false], hasPlan, notDeployed, 'deploy_required'],
    ['free', [true], lacksPlan, isDeployed, 'plan_required'],
    ['free', [], lacksPlan, notDeployed, 'plan_required'],
  ])(
    'on the plan %s and with the deploy results %j, a project sees which preconditions of domains it meets',
    async (planName, deploys, plan, deploy, code) => {
      const other = await own.makeProject()
      const project = (await own.makeProject(planName)) as unknown as Project
      const add = (projectId: number, succeeded: boolean) =>
        own.db.deploy.create({ data: { projectId, succeeded, configuration: {}, log: [] } })
      await add(other.id, true)
      for (const succeeded of deploys) await add(project.id, succeeded)

      expect(await checkPreconditions(own.db, project)).toEqual({ met: code === null, plan, deploy })
      if (code === null) await requirePreconditions(own.db, project)
      else await expect(requirePreconditions(own.db, project)).rejects.toMatchObject({ code })
      if (planName === 'free') expect(() => requirePlan(project)).toThrow(lacksPlan.message)
      else expect(() => requirePlan(project)).not.toThrow()
    },
  )
})

it('a suspended project is refused every request', () => {
  const project = { suspended: false } as Project

  expect(() => requireServed(project)).not.toThrow()
  expect(() => requireServed({ ...project, suspended: true })).toThrow(
    expect.objectContaining({ code: 'project_suspended' }),
  )
})
