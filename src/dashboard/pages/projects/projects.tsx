import { useState } from 'react'
import type { PlanName, ProjectOrder } from '../../../generated/contract.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useRouter } from '../../app/router.tsx'
import { ProjectsDocument } from '../../generated/pages/graphql.ts'
import { Button } from '../../ui/button.tsx'
import { Filter, useFilter } from '../../ui/filter.tsx'
import { PlusIcon, ProjectsIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Pager, usePaging } from '../../ui/pager.tsx'
import { Search } from '../../ui/search.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { CreateProject } from './create-project.tsx'
import { type Act, ProjectsTable } from './projects-table.tsx'
import { SetPlan } from './set-plan.tsx'
import { Suspend } from './suspend.tsx'

const plans = [
  { value: '', label: 'All plans' },
  { value: 'free', label: 'Free' },
  { value: 'pro', label: 'Pro' },
  { value: 'business', label: 'Business' },
  { value: 'enterprise', label: 'Enterprise' },
] satisfies { value: PlanName | ''; label: string }[]
const states = [
  { value: '', label: 'All states' },
  { value: 'in-service', label: 'Live' },
  { value: 'suspended', label: 'Suspended' },
] as const
const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'most_used', label: 'Most used first' },
] satisfies { value: ProjectOrder; label: string }[]
const valuesOf = <Value extends string>(options: readonly { value: Value }[]) =>
  options.map(({ value }) => value)

/** The start page of an operator. */
export default function Projects() {
  const [doing, setDoing] = useState<Act | { act: 'create' } | null>(null)
  const { query } = useRouter()
  const paging = usePaging()
  const search = query.get('search')
  const plan = useFilter('plan', valuesOf(plans))
  const state = useFilter('state', valuesOf(states))
  const order = useFilter('order', valuesOf(orders))
  const variables = {
    first: 50,
    after: paging.after,
    search,
    plan: plan === '' ? null : plan,
    suspended: state === '' ? null : state === 'suspended',
    order,
  }
  const [{ data, error }, ask] = useLiveQuery({ query: ProjectsDocument, variables, context })
  const again = () => ask({ requestPolicy: 'network-only' })
  const close = () => setDoing(null)
  const projects = data?.projects.nodes
  const isFiltered = Boolean(search) || plan !== '' || state !== ''
  const create = (
    <Button kind="primary" onClick={() => setDoing({ act: 'create' })}>
      <PlusIcon /> Create project
    </Button>
  )
  return (
    <>
      <PageHead title="Projects" actions={create}>
        Every store on the platform. A changed plan and a suspension take effect within a second.
      </PageHead>
      <div className="stack">
        <search className="filters">
          <Search label="Search by name or slug" />
          <Filter label="Plan" name="plan" options={plans} />
          <Filter label="State" name="state" options={states} />
          <Filter label="Order" name="order" options={orders} />
        </search>
        {error && !projects ? (
          <Failed error={error} retry={again} what="The projects could not be loaded" />
        ) : !projects ? (
          <Loading lines={6} />
        ) : projects.length === 0 ? (
          <div className="card">
            <Empty
              icon={<ProjectsIcon size={34} />}
              title={isFiltered ? 'No projects match your search' : 'No project yet'}
            >
              <p>
                {isFiltered
                  ? 'Change the search or a filter to see others.'
                  : 'Create a project, and give its first key to its owner.'}
              </p>
            </Empty>
          </div>
        ) : (
          <>
            <Outdated error={error} retry={again} />
            <ProjectsTable projects={projects} onAct={setDoing} />
            <Pager paging={paging} info={data.projects.pageInfo} />
          </>
        )}
      </div>
      {doing?.act === 'create' && <CreateProject onClose={close} />}
      {doing?.act === 'plan' && <SetPlan project={doing.project} onClose={close} />}
      {doing?.act === 'suspend' && <Suspend project={doing.project} onClose={close} />}
    </>
  )
}

const context = { additionalTypenames: ['Project'] }
