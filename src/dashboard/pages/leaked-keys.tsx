import type { LeakedKeys as Choice } from '../../generated/contract.ts'
import { useMutation, useQuery } from '../app/operations.ts'
import { useProjectId, useProjectSlug } from '../app/project.ts'
import { useMissing } from '../app/session.ts'
import { LeakedKeysChoiceDocument, SetLeakedKeysDocument } from '../generated/pages/graphql.ts'
import { useAnnounce } from '../ui/announce.tsx'
import { Failed, Loading } from '../ui/states.tsx'

const labels: Record<Choice, string> = {
  revoke_writing: 'Revoke keys that may write',
  revoke: 'Revoke every key',
  rotate: 'Rotate: the key works for another day',
  tell: 'Only tell',
}
const meanings: Record<Choice, string> = {
  revoke_writing: 'A key that may write ends at once. A key that only reads goes on working.',
  revoke: 'The key ends at once.',
  rotate: 'The key works for another day, and gets a successor. Rotate the successor to see a secret.',
  tell: 'The key goes on working until you rotate or revoke it.',
}

/** The project's choice for API keys that secret scanning finds in public. */
export function LeakedKeys() {
  const project = useProjectSlug() ?? null
  const projectId = useProjectId()
  const missing = useMissing('project_write')
  const [{ data, error }] = useQuery({ query: LeakedKeysChoiceDocument, variables: { project } })
  const [{ fetching, error: refused }, choose] = useMutation(SetLeakedKeysDocument)
  const announce = useAnnounce()
  const set = async (leakedKeys: Choice) => {
    const { data: set } = await choose({ input: { projectId, leakedKeys } })
    if (set) announce(`Leaked keys: ${labels[leakedKeys]}.`)
  }
  const choice = data?.project.leakedKeys
  return (
    <section className="card stack" aria-labelledby="leaked-title">
      <h2 id="leaked-title">Leaked API keys</h2>
      <p className="soft">
        What happens to a key that secret scanning finds in public. You always get the event api_key.leaked
        with the address where the key was found.
      </p>
      {error && !data ? (
        <Failed error={error} what="The choice could not be loaded" />
      ) : !choice ? (
        <Loading />
      ) : missing !== null ? (
        <p>{labels[choice]}.</p>
      ) : (
        <select
          className="input"
          aria-label="What happens to leaked keys"
          value={choice}
          disabled={fetching}
          onChange={event => void set(event.target.value as Choice)}
        >
          {Object.entries(labels).map(([each, label]) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
        </select>
      )}
      {choice && <p className="small soft">{meanings[choice]}</p>}
      {refused && <Failed error={refused} what="The choice could not be saved" />}
    </section>
  )
}
