import type { PlanName, ProjectOrder } from '../../../generated/contract.ts'
import { useLiveQuery } from '../../app/live.ts'
import { useRouter } from '../../app/router.tsx'
import { ProjectsDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Filter, useFilter } from '../../ui/filter.tsx'
import { PlusIcon, ProjectsIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page.tsx'
import { NoRows, Pager, usePaging } from '../../ui/pager.tsx'
import { Search } from '../../ui/search.tsx'
import { SortBy } from '../../ui/sort-by.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { CreateProject } from './create-project.tsx'
import { type Act, ProjectsTable } from './projects-table.tsx'
import { SetPlan } from './set-plan.tsx'
import { Suspend } from './suspend.tsx'

const plans = [
  { value: '', label: t.projects.allPlans },
  { value: 'free', label: t.projects.free },
  { value: 'pro', label: t.projects.pro },
  { value: 'business', label: t.projects.business },
  { value: 'enterprise', label: t.projects.enterprise },
] satisfies { value: PlanName | ''; label: string }[]
const states = [
  { value: '', label: t.projects.allStates },
  { value: 'in-service', label: t.projects.live },
  { value: 'suspended', label: t.projects.suspended },
] as const
const orders = [
  { value: 'newest', label: t.projects.newestFirst },
  { value: 'oldest', label: t.projects.oldestFirst },
  { value: 'most_used', label: t.projects.mostUsedFirst },
] satisfies { value: ProjectOrder; label: string }[]
const valuesOf = <Value extends string>(options: readonly { value: Value }[]) =>
  options.map(({ value }) => value)

/** The start page of an operator. */
export default function Projects() {
  const [doing, setDoing, close] = useDialog<Act | { act: 'create' }>()
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
  const [{ data, error, isEarlier }, ask] = useLiveQuery({ query: ProjectsDocument, variables, context })
  const again = () => ask({ requestPolicy: 'network-only' })
  const projects = data?.projects.nodes
  const isFiltered = Boolean(search) || plan !== '' || state !== ''
  const create = (
    <Button kind="primary" onClick={() => setDoing({ act: 'create' })}>
      <PlusIcon /> {t.projects.createProject}
    </Button>
  )
  return (
    <>
      <PageHead title={t.projects.projects} actions={create}>
        {t.projects.everyStoreOnPlatformChanged}
      </PageHead>
      <div className="stack">
        <search className="filters">
          <Search label={t.projects.searchByNameOrSlug} />
          <Filter label={t.projects.plan} name="plan" options={plans} />
          <Filter label={t.projects.state} name="state" options={states} />
          <SortBy name="order" options={orders} />
        </search>
        {error && !projects ? (
          <Failed error={error} retry={again} what={t.projects.projectsCouldNotBeLoaded} />
        ) : !projects ? (
          <Loading lines={6} />
        ) : (
          <>
            <Outdated error={error} retry={again} />
            {projects.length > 0 ? (
              <ProjectsTable projects={projects} onAct={setDoing} />
            ) : (
              <NoRows isEmptied={paging.page > 1}>
                <Empty
                  icon={<ProjectsIcon size={34} />}
                  title={isFiltered ? t.projects.noProjectsMatchYourSearch : t.projects.noProjectYet}
                >
                  <p>{isFiltered ? t.projects.changeSearchOrFilterTo : t.projects.createProjectAndGiveIts}</p>
                </Empty>
              </NoRows>
            )}
            <Pager
              paging={paging}
              info={data.projects.pageInfo}
              isEarlier={isEarlier}
              count={projects.length}
            />
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
