import { useState } from 'react'
import { useLiveQuery } from '../../app/live.ts'
import { Link } from '../../app/router.tsx'
import { type ProjectRowFragment, ProjectsDocument } from '../../generated/graphql.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PlusIcon, ProjectsIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { number } from '../../ui/meter.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Pager, usePaging } from '../../ui/pager.tsx'
import { Empty, Failed, Loading, Outdated } from '../../ui/states.tsx'
import { CreateProject } from './create-project.tsx'
import { SetPlan } from './set-plan.tsx'
import { Suspend } from './suspend.tsx'

type Doing = { act: 'create' } | { act: 'plan' | 'suspend'; project: ProjectRowFragment } | null

/** What an operator sees first. */
export default function Projects() {
  const [doing, setDoing] = useState<Doing>(null)
  const paging = usePaging()
  const variables = { first: 50, after: paging.after }
  const [{ data, error }, ask] = useLiveQuery({ query: ProjectsDocument, variables, context })
  const close = () => setDoing(null)
  const projects = data?.projects.nodes
  const create = (
    <Button kind="primary" onClick={() => setDoing({ act: 'create' })}>
      <PlusIcon /> Create project
    </Button>
  )
  const again = () => ask({ requestPolicy: 'network-only' })
  return (
    <>
      <PageHead title="Projects" actions={create}>
        Every store on the platform. A changed plan and a suspension take effect within a second.
      </PageHead>
      {error && !projects ? (
        <Failed error={error} retry={again} what="The projects could not be loaded" />
      ) : !projects ? (
        <Loading lines={6} />
      ) : projects.length === 0 ? (
        <div className="card">
          <Empty icon={<ProjectsIcon size={34} />} title="No project yet">
            <p>Create one to hand its first key to its owner.</p>
          </Empty>
        </div>
      ) : (
        <div className="stack">
          <Outdated error={error} retry={again} />
          <ul className="card flush list">
            {projects.map(project => (
              <Row key={project.slug} project={project} onAct={setDoing} />
            ))}
          </ul>
          <Pager paging={paging} info={data.projects.pageInfo} />
        </div>
      )}
      {doing?.act === 'create' && <CreateProject onClose={close} />}
      {doing?.act === 'plan' && <SetPlan project={doing.project} onClose={close} />}
      {doing?.act === 'suspend' && <Suspend project={doing.project} onClose={close} />}
    </>
  )
}

const context = { additionalTypenames: ['Project'] }

function Row({ project, onAct }: { project: ProjectRowFragment; onAct(doing: Doing): void }) {
  const { slug, name, plan, limits, suspended } = project
  return (
    <li className="head" {...useMark(project.id)}>
      <div className="stack-tight">
        <div className="row">
          <h2 className="row-title break">
            <Link to={{ page: 'overview', project: slug }}>{name}</Link>
          </h2>
          <Badge tone="plain">{plan.name}</Badge>
          {suspended && <Badge tone="bad">Suspended</Badge>}
        </div>
        <p className="small soft times">
          <span className="mono">{slug}</span>
          <span>
            {number(limits.requestsPerMinute)} a minute, {number(limits.requestsPerDay)} a day
          </span>
        </p>
      </div>
      <Menu
        label={`Actions for ${name}`}
        items={[
          { label: 'Set plan', act: () => onAct({ act: 'plan', project }) },
          {
            label: suspended ? 'Resume' : 'Suspend',
            danger: !suspended,
            act: () => onAct({ act: 'suspend', project }),
          },
        ]}
      />
    </li>
  )
}
