import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { type ProjectRowFragment, SetPlanDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Failed } from '../../ui/states.tsx'
import { agreedLimits, type PlanDraft, PlanFields, planWords } from './plan-fields.tsx'

export function SetPlan({ project, onClose }: { project: ProjectRowFragment; onClose(): void }) {
  const { plan, limits } = project
  const [{ fetching, error }, setPlan] = useMutation(SetPlanDocument)
  const [draft, setDraft] = useState<PlanDraft>({
    plan: plan.name,
    perMinute: String(limits.requestsPerMinute),
    perDay: String(limits.requestsPerDay),
  })
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, planWords)
  const submit = async () => {
    if (fetching) return
    const { data } = await setPlan({
      input: { id: project.id, plan: draft.plan, limits: agreedLimits(draft) },
    })
    if (!data) return
    announce(t.projects.nameIsOnPlanPlan(project.name, draft.plan), project.id)
    onClose()
  }
  return (
    <Dialog title={t.projects.setPlanOfName(project.name)} onClose={onClose} onSubmit={submit}>
      <PlanFields draft={draft} onChange={setDraft} faults={beside} />
      {elsewhere && <Failed error={elsewhere} what={t.projects.planCouldNotBeSet} />}
      <DialogActions onClose={onClose} act={t.projects.setPlan} acting={t.projects.setting} busy={fetching} />
    </Dialog>
  )
}
