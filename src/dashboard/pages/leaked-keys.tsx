import { type FormEvent, useState } from 'react'
import type { LeakedKeys as Choice } from '../../generated/contract.ts'
import { useMutation, useQuery } from '../app/operations.ts'
import { useProjectId, useProjectSlug } from '../app/project.ts'
import { useMissing } from '../app/session.ts'
import { LeakedKeysChoiceDocument, SetLeakedKeysDocument } from '../generated/pages/graphql.ts'
import { t } from '../texts/pages.ts'
import { useAnnounce } from '../ui/announce.tsx'
import { Button } from '../ui/button.tsx'
import { Failed, Loading } from '../ui/states.tsx'

const labels: Record<Choice, string> = {
  revoke_writing: t.general.revokeKeysThatMayWrite,
  revoke: t.general.revokeEveryKey,
  rotate: t.general.rotateKeyWorksForAnother,
  tell: t.general.onlyTell,
}
const meanings: Record<Choice, string> = {
  revoke_writing: t.general.keyThatMayWriteEnds,
  revoke: t.general.keyEndsAtOnce,
  rotate: t.general.keyWorksForAnotherDay,
  tell: t.general.keyGoesOnWorkingUntil,
}

/** Lets the reader choose what happens to API keys that secret scanning finds in public. */
export function LeakedKeys() {
  const project = useProjectSlug() ?? null
  const projectId = useProjectId()
  const missing = useMissing('project_write')
  const [{ data, error }] = useQuery({ query: LeakedKeysChoiceDocument, variables: { project } })
  const [{ fetching, error: refused }, choose] = useMutation(SetLeakedKeysDocument)
  const announce = useAnnounce()
  const [chosen, setChosen] = useState<Choice | null>(null)
  const saved = data?.project.leakedKeys
  const choice = chosen ?? saved
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!choice || choice === saved || fetching) return
    const { data: set } = await choose({ input: { projectId, leakedKeys: choice } })
    if (set) announce(t.general.leakedKeysLabels(labels[choice]))
  }
  return (
    <section className="card stack" aria-labelledby="leaked-title">
      <h2 id="leaked-title">{t.general.leakedApiKeys}</h2>
      <p className="soft">{t.general.whatHappensToKeyThat}</p>
      {error && !data ? (
        <Failed error={error} what={t.general.choiceCouldNotBeLoaded} />
      ) : !choice ? (
        <Loading />
      ) : missing !== null ? (
        <>
          <p>{labels[choice]}.</p>
          <p className="small soft">{meanings[choice]}</p>
        </>
      ) : (
        // Save on a button, because the arrow keys change a closed list at once.
        <form className="stack-tight" onSubmit={event => void save(event)}>
          <select
            className="input"
            aria-label={t.general.whatHappensToLeakedKeys}
            value={choice}
            onChange={event => setChosen(event.target.value as Choice)}
          >
            {Object.entries(labels).map(([each, label]) => (
              <option key={each} value={each}>
                {label}
              </option>
            ))}
          </select>
          <p className="small soft">{meanings[choice]}</p>
          <div>
            <Button type="submit" busy={fetching} aria-disabled={choice === saved || undefined}>
              {fetching ? t.general.saving : t.general.save}
            </Button>
          </div>
        </form>
      )}
      {refused && <Failed error={refused} what={t.general.choiceCouldNotBeSaved} />}
    </section>
  )
}
