import type { PlanName } from '../../../generated/contract.ts'
import { t } from '../../texts/pages.ts'
import { Choice, Field } from '../../ui/field.tsx'

export type PlanDraft = { plan: PlanName; perMinute: string; perDay: string }
const plans: PlanName[] = ['free', 'pro', 'business', 'enterprise']

export const planWords = {
  plan: t.projects.chooseOneOfPlans,
  limits: t.projects.customLimitsAreOnlyAvailable,
  requestsPerMinute: t.projects.enterWholeNumberAtLeast,
  requestsPerDay: t.projects.enterWholeNumberAtLeastRequestsMinute,
}

/** Fields for the plan and, on the plan enterprise, for its limits. */
export function PlanFields({
  draft,
  onChange,
  faults,
}: {
  draft: PlanDraft
  onChange(draft: PlanDraft): void
  faults: Partial<Record<keyof typeof planWords, string>>
}) {
  return (
    <>
      <Choice
        label={t.projects.plan}
        value={draft.plan}
        onChange={event => onChange({ ...draft, plan: event.target.value as PlanName })}
        error={faults.plan ?? faults.limits}
      >
        {plans.map(plan => (
          <option key={plan}>{plan}</option>
        ))}
      </Choice>
      {draft.plan === 'enterprise' && (
        <div className="cards">
          <Field
            label={t.projects.requestsMinute}
            inputMode="numeric"
            value={draft.perMinute}
            onChange={event => onChange({ ...draft, perMinute: event.target.value })}
            error={faults.requestsPerMinute}
          />
          <Field
            label={t.projects.requestsDay}
            inputMode="numeric"
            value={draft.perDay}
            onChange={event => onChange({ ...draft, perDay: event.target.value })}
            error={faults.requestsPerDay}
          />
        </div>
      )}
    </>
  )
}

export function agreedLimits({ plan, perMinute, perDay }: PlanDraft) {
  return plan === 'enterprise'
    ? { requestsPerMinute: wholeNumber(perMinute), requestsPerDay: wholeNumber(perDay) }
    : null
}

/**
 * Parses a whole number. Returns 0 for a text that is not a whole number, and for a number of 2^31 or more. The store
 * rejects 0 and names the field in the error.
 */
function wholeNumber(text: string): number {
  const number = Number(text.replaceAll(/[\s,]/g, ''))
  return Number.isInteger(number) && number < 2 ** 31 ? number : 0
}
