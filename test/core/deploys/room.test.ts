import { describe, expect, it } from 'vitest'
import { deploy, findCurrentDeploy, rollback } from '../../../src/core/deploys/deploys.ts'
import { mostDeploys } from '../../../src/core/deploys/room.ts'
import type { DeployTools } from '../../../src/core/deploys/validate.ts'
import { addDomain, type DomainTools, removeDomain } from '../../../src/core/domains/domains.ts'
import type { Project } from '../../../src/core/project.ts'
import { systemClock } from '../../../src/tools/clock.ts'
import { numberAll } from '../../support/events.ts'
import { prepareOwnDatabase } from '../../support/open-database.ts'

describe('room for deploys', () => {
  const own = prepareOwnDatabase()
  const platformHost = 'animals.localhost'
  const nameRules = { platformHost, ownHosts: [], suffixes: ['test'] }
  const tools: DeployTools = { clock: systemClock, platformHost, nameRules }
  const ids = async ({ id }: Project) =>
    (await own.db.deploy.findMany({ where: { projectId: id }, orderBy: { id: 'asc' } })).map(row => row.id)

  /** Makes a project with deploys, of which only the first one succeeded if `isBroken`. */
  async function makeDeployed(count: number, isBroken: boolean): Promise<Project> {
    const project = (await own.makeProject('pro')) as unknown as Project
    await own.db.$executeRaw`
      INSERT INTO deploys (project_id, succeeded, configuration, log)
      SELECT ${project.id}, ${!isBroken} OR n = 1, '{"title": null, "domains": {"primary": null, "redirects": []}}', '[]'
      FROM generate_series(1, ${count}::int) AS n`
    return project
  }

  it('every hundredth deploy of a project with a thousand removes the oldest hundred, in the name of the system', async () => {
    const project = await makeDeployed(mostDeploys + 98, false)
    const before = await ids(project)

    await deploy(own.db, tools, project, {})
    const full = await ids(project)
    await rollback(own.db, tools, project, before[150] ?? 0)
    const after = await ids(project)

    expect(full).toHaveLength(mostDeploys + 99)
    expect(after).toHaveLength(mostDeploys)
    expect(after.slice(0, -2)).toEqual(before.slice(100))
    await numberAll(own)
    const told = await own.db.event.findMany({ where: { projectId: project.id, type: 'deploy.removed' } })
    expect(told).toHaveLength(100)
    expect(told[0]?.actor).toEqual({ type: 'system', name: 'old deploys' })
    await expect(rollback(own.db, tools, project, before[0] ?? 0)).rejects.toMatchObject({
      code: 'deploy_not_found',
    })
  })

  it('deploys that domains publish are removed too', async () => {
    const project = await makeDeployed(mostDeploys + 99, false)
    const domains: DomainTools = {
      ...tools,
      checkDns: () => Promise.reject(new Error('not asked')),
      findZone: async () => null,
      orderBounds: { perHour: 1, perDay: 1 },
    }

    await addDomain(own.db, domains, project, { name: 'shop.test', withPartner: true })
    const added = await ids(project)
    await own.db.$executeRaw`
      INSERT INTO deploys (project_id, succeeded, configuration, log)
      SELECT project_id, succeeded, configuration, log
      FROM deploys, generate_series(1, 99) AS n WHERE id = ${added.at(-1)}`
    await removeDomain(own.db, domains, project, 'www.shop.test')

    expect(added).toHaveLength(mostDeploys)
    expect(await ids(project)).toHaveLength(mostDeploys)
    await numberAll(own)
    const told = await own.db.event.findMany({
      where: { projectId: project.id, type: { in: ['deploy.removed', 'domain.removed'] } },
    })
    const namesOf = (type: string) => told.filter(one => one.type === type).map(({ actor }) => actor)
    expect(namesOf('deploy.removed')).toHaveLength(200)
    expect(new Set(namesOf('deploy.removed').map(actor => JSON.stringify(actor)))).toHaveLength(1)
    expect(namesOf('domain.removed')).not.toContainEqual({ type: 'system', name: 'old deploys' })
  })

  it('the deploy in service is kept, even if all later deploys have failed', async () => {
    const project = await makeDeployed(mostDeploys + 99, true)
    const [first] = await ids(project)

    const { succeeded } = await deploy(own.db, tools, project, { domains: { primary: 'nobodys.test' } })

    expect(succeeded).toBe(false)
    expect(await ids(project)).toHaveLength(mostDeploys)
    expect((await findCurrentDeploy(own.db, project))?.id).toBe(first)
  })
})
