import { Link } from '../../app/router.tsx'
import type { ProjectRowFragment, ProjectsQuery } from '../../generated/pages/graphql.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Menu } from '../../ui/menu.tsx'
import { number } from '../../ui/meter.tsx'
import { Table, unseen } from '../../ui/table.tsx'

export type Act = { act: 'plan' | 'suspend'; project: ProjectRowFragment }
type Project = NonNullable<ProjectsQuery['projects']>['nodes'][number]
type Props = { onAct(act: Act): void }

const columns = [
  ['Project'],
  ['Plan', 'col-m wide'],
  ['A minute', 'num col-m wide'],
  ['A day', 'num col-m wide'],
  ['30 days', 'num col-m'],
  [unseen('Actions'), 'col-s'],
] as const

export function ProjectsTable({ projects, onAct }: Props & { projects: Project[] }) {
  return (
    <Table columns={columns} hasMenus>
      {projects.map(project => (
        <Row key={project.slug} project={project} onAct={onAct} />
      ))}
    </Table>
  )
}

function Row({ project, onAct }: Props & { project: Project }) {
  const { id, slug, name, plan, limits, suspended, usage } = project
  return (
    <tr {...useMark(id)}>
      <th scope="row" className="break">
        <Link to={{ page: 'overview', project: slug }}>{name}</Link>
        <span className="mono soft under">{slug}</span>
        <span className="small soft under narrow">
          {plan.name}, {number(limits.requestsPerMinute)} a minute
        </span>
        {suspended && <Badge tone="bad">Suspended</Badge>}
      </th>
      <td className="capital wide">{plan.name}</td>
      <td className="num wide">{number(limits.requestsPerMinute)}</td>
      <td className="num wide">{number(limits.requestsPerDay)}</td>
      <td className="num">
        {number(usage.requests)}
        {usage.refusals > 0 && <span className="small bad-text under">{number(usage.refusals)} refused</span>}
      </td>
      <td className="num">
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
      </td>
    </tr>
  )
}
