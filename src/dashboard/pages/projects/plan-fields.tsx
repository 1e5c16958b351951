import type { Problem } from '../../app/problem.ts'
import { faultOf } from '../../app/problem.ts'
import type { PlanName } from '../../generated/graphql.ts'
import { Choice, Field } from '../../ui/field.tsx'

export type PlanDraft = { plan: PlanName; perMinute: string; perDay: string }
const plans: PlanName[] = ['free', 'pro', 'business', 'enterprise']

/** The plan, and for enterprise the numbers agreed. */
export function PlanFields({
  draft,
  onChange,
  problem,
}: {
  draft: PlanDraft
  onChange(draft: PlanDraft): void
  problem: Problem | null
}) {
  return (
    <>
      <Choice
        label="Plan"
        value={draft.plan}
        onChange={event => onChange({ ...draft, plan: event.target.value as PlanName })}
        error={faultOf(problem, 'plan')}
      >
        {plans.map(plan => (
          <option key={plan}>{plan}</option>
        ))}
      </Choice>
      {draft.plan === 'enterprise' && (
        <div className="cards">
          <Field
            label="Requests a minute"
            inputMode="numeric"
            value={draft.perMinute}
            onChange={event => onChange({ ...draft, perMinute: event.target.value })}
            error={faultOf(problem, 'requestsPerMinute')}
          />
          <Field
            label="Requests a day"
            inputMode="numeric"
            value={draft.perDay}
            onChange={event => onChange({ ...draft, perDay: event.target.value })}
            error={faultOf(problem, 'requestsPerDay')}
          />
        </div>
      )}
    </>
  )
}

export function agreedLimits({ plan, perMinute, perDay }: PlanDraft) {
  return plan === 'enterprise'
    ? { requestsPerMinute: Number(perMinute) || 0, requestsPerDay: Number(perDay) || 0 }
    : null
}
