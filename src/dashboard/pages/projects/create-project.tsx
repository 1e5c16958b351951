import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { faultsOf, problemOf } from '../../app/problem.ts'
import { CreateProjectDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Failed } from '../../ui/states.tsx'
import { SecretDialog } from '../keys/secret.tsx'
import { agreedLimits, type PlanDraft, PlanFields, planWords } from './plan-fields.tsx'

const words = {
  slug: 'Enter 3 to 40 lower-case letters, digits and single hyphens between them, beginning with a letter.',
  name: 'Enter a name of at most 100 characters, or leave it empty.',
  ...planWords,
}

export function CreateProject({ onClose }: { onClose(): void }) {
  const [{ fetching, error, data }, create] = useMutation(CreateProjectDocument)
  const [slug, setSlug] = useState('')
  const [name, setName] = useState('')
  const [draft, setDraft] = useState<PlanDraft>({ plan: 'free', perMinute: '', perDay: '' })
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, words)
  const taken = elsewhere && problemOf(elsewhere).code === 'project_exists'

  if (data) {
    const { project, secret } = data.projectCreate
    const close = () => {
      announce(`Created ${project.name}.`, project.id)
      onClose()
    }
    return (
      <SecretDialog
        title={`The owner's key of ${project.name}`}
        secret={secret}
        note="Hand it to the project's owner."
        onClose={close}
      />
    )
  }
  const submit = () => {
    if (fetching) return
    const input = { slug, name: name || null, plan: draft.plan, limits: agreedLimits(draft) }
    void create({ input }, { additionalTypenames: ['Project'] })
  }
  return (
    <Dialog title="Create project" onClose={onClose} onSubmit={submit}>
      <Field
        label="Slug"
        autoFocus
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        placeholder="happy-paws"
        value={slug}
        onChange={event => setSlug(event.target.value)}
        hint="The short name in addresses: 3 to 40 lower-case letters, digits and inner hyphens."
        error={taken ? `There is a project ${slug} already. Choose another slug.` : beside.slug}
      />
      <Field
        label="Name"
        autoComplete="off"
        value={name}
        onChange={event => setName(event.target.value)}
        hint="Display name. Defaults to the slug."
        error={beside.name}
      />
      <PlanFields draft={draft} onChange={setDraft} faults={beside} />
      {elsewhere && !taken && <Failed error={elsewhere} what="The project could not be created" />}
      <DialogActions onClose={onClose} act="Create project" acting="Creating…" busy={fetching} />
    </Dialog>
  )
}
