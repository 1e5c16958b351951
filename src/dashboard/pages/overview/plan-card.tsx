import type { ProjectHeadQuery } from '../../generated/graphql.ts'
import { number } from '../../ui/meter.tsx'

/** To an operator, who has no key of the project that could ask what is left of them. */
export function PlanCard({ project }: { project: NonNullable<ProjectHeadQuery['project']> }) {
  const { requestsPerMinute, requestsPerDay } = project.limits
  return (
    <section className="card" aria-labelledby="plan-title">
      <h2 id="plan-title">Limits</h2>
      <dl className="facts wide">
        <dt>Plan</dt>
        <dd className="capital">{project.plan.name}</dd>
        <dt>A minute</dt>
        <dd>{number(requestsPerMinute)} requests</dd>
        <dt>A day</dt>
        <dd>{number(requestsPerDay)} requests</dd>
        <dt>Platform host</dt>
        <dd className="mono">{project.platformHost}</dd>
      </dl>
    </section>
  )
}
