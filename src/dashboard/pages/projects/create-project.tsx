import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { faultsOf, problemOf } from '../../app/problem.ts'
import { CreateProjectDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Failed } from '../../ui/states.tsx'
import { useShowSecret } from '../keys/secret.tsx'
import { agreedLimits, type PlanDraft, PlanFields, planWords } from './plan-fields.tsx'

const words = {
  slug: t.projects.enter3To40Lower,
  name: t.projects.enterNameOfAtMost,
  ...planWords,
}

export function CreateProject({ onClose }: { onClose(): void }) {
  const [{ fetching, error }, create] = useMutation(CreateProjectDocument)
  const [slug, setSlug] = useState('')
  const [name, setName] = useState('')
  const [draft, setDraft] = useState<PlanDraft>({ plan: 'free', perMinute: '', perDay: '' })
  const announce = useAnnounce()
  const showSecret = useShowSecret()
  const { beside, elsewhere } = faultsOf(error, words)
  const taken = elsewhere && problemOf(elsewhere).code === 'project_exists'

  const submit = async () => {
    if (fetching) return
    const input = { slug, name: name || null, plan: draft.plan, limits: agreedLimits(draft) }
    const { data } = await create({ input }, { additionalTypenames: ['Project'] })
    if (!data) return
    const { project, secret } = data.projectCreate
    showSecret({
      title: t.projects.ownersKeyOfName(project.name),
      secret,
      note: t.projects.handItToProjectsOwner,
      onClose: () => announce(t.projects.createdName(project.name), project.id),
    })
    onClose()
  }
  return (
    <Dialog title={t.projects.createProject} onClose={onClose} onSubmit={submit}>
      <Field
        label={t.projects.slug}
        autoFocus
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder="happy-paws"
        value={slug}
        onChange={event => setSlug(event.target.value)}
        hint={t.projects.shortNameInAddresses3}
        error={taken ? t.projects.thereIsProjectSlugAlready(slug) : beside.slug}
      />
      <Field
        label={t.projects.name}
        autoComplete="off"
        value={name}
        onChange={event => setName(event.target.value)}
        hint={t.projects.displayNameDefaultsToSlug}
        error={beside.name}
      />
      <PlanFields draft={draft} onChange={setDraft} faults={beside} />
      {elsewhere && !taken && <Failed error={elsewhere} what={t.projects.projectCouldNotBeCreated} />}
      <DialogActions
        onClose={onClose}
        act={t.projects.createProject}
        acting={t.projects.creating}
        busy={fetching}
      />
    </Dialog>
  )
}
