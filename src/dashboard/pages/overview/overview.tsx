import { useProject } from '../../app/project.ts'
import { useSession } from '../../app/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Failed } from '../../ui/states.tsx'
import { DeprecatedCalls } from './deprecated-calls.tsx'
import { EndingKeys } from './ending-keys.tsx'
import { Limits } from './limits.tsx'
import { PlanCard } from './plan-card.tsx'
import { TryIt } from './try-it.tsx'
import { UsageCard } from './usage-card.tsx'

export function Overview() {
  const { operator } = useSession()
  const { project, error } = useProject()
  return (
    <>
      <PageHead title="Overview" actions={project && <Badge tone="plain">{project.plan.name} plan</Badge>}>
        {project ? `How ${project.name} is doing.` : ' '}
      </PageHead>
      <div className="stack loose">
        {error && <Failed error={error} what="The project could not be loaded" />}
        {project?.suspended && (
          <Notice tone="bad" title="This project is suspended">
            <p>Its API keys are refused until the operator resumes it. Nothing is lost.</p>
          </Notice>
        )}
        <EndingKeys />
        {operator ? project && <PlanCard project={project} /> : <Limits />}
        <UsageCard />
        <DeprecatedCalls />
        {project && !operator && <TryIt baseUrl={project.baseUrl} />}
      </div>
    </>
  )
}
