import { Link } from '../../app/router.tsx'
import type { ProjectRowFragment, ProjectsQuery } from '../../generated/pages/graphql.ts'
import { number } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Table, unseen } from '../../ui/table.tsx'

export type Act = { act: 'plan' | 'suspend'; project: ProjectRowFragment }
type Project = NonNullable<ProjectsQuery['projects']>['nodes'][number]
type Props = { onAct(act: Act): void }

const columns = [
  [t.projects.project],
  [t.projects.plan, 'col-m wide'],
  [t.projects.minute, 'num col-m wide'],
  [t.projects.day, 'num col-m wide'],
  [t.projects.days30, 'num col-m'],
  [unseen(t.projects.actions), 'col-s'],
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
          {t.projects.nameRequestsPerMinuteMinute(plan.name, number(limits.requestsPerMinute))}
        </span>
        {suspended && <Badge tone="bad">{t.projects.suspended}</Badge>}
      </th>
      <td className="capital wide">{plan.name}</td>
      <td className="num wide">{number(limits.requestsPerMinute)}</td>
      <td className="num wide">{number(limits.requestsPerDay)}</td>
      <td className="num">
        {number(usage.requests)}
        {usage.refusals > 0 && (
          <span className="small bad-text under">{t.projects.refusalsRefused(number(usage.refusals))}</span>
        )}
      </td>
      <td className="num">
        <Menu
          label={t.projects.actionsForName(name)}
          items={[
            { label: t.projects.setPlan, act: () => onAct({ act: 'plan', project }) },
            {
              label: suspended ? t.projects.resume : t.projects.suspend,
              danger: !suspended,
              act: () => onAct({ act: 'suspend', project }),
            },
          ]}
        />
      </td>
    </tr>
  )
}
