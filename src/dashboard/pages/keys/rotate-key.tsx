import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { type KeyRowFragment, RotateApiKeyDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Choice } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { SecretDialog } from './secret.tsx'

const overlaps = [
  { seconds: 0, label: 'Ends at once' },
  { seconds: 3_600, label: 'For 1 hour' },
  { seconds: 86_400, label: 'For another day' },
  { seconds: 604_800, label: 'For another week' },
  { seconds: 2_592_000, label: 'For another 30 days' },
]

export function RotateKey({ apiKey, onClose }: { apiKey: KeyRowFragment; onClose(): void }) {
  const [{ fetching, error, data }, rotate] = useMutation(RotateApiKeyDocument)
  const announce = useAnnounce()
  const [overlapSeconds, setOverlapSeconds] = useState(86_400)

  if (data) {
    const note =
      overlapSeconds === 0
        ? 'The old one has ended.'
        : 'The old key keeps working for now; the list shows whether it is still used.'
    const { apiKey: successor, secret } = data.apiKeyRotate
    const close = () => {
      announce(`Rotated ${apiKey.name}.`, successor.id)
      onClose()
    }
    return <SecretDialog title={`The new key ${apiKey.name}`} secret={secret} note={note} onClose={close} />
  }
  const submit = () => {
    if (!fetching) void rotate({ input: { id: apiKey.id, overlapSeconds } })
  }
  return (
    <Dialog title={`Rotate ${apiKey.name}`} onClose={onClose} onSubmit={submit}>
      <p>
        A new key with the same name and scopes takes over. Give its users time to change, or end the old one
        now.
      </p>
      <Choice
        label="Keep the old key active"
        value={overlapSeconds}
        onChange={event => setOverlapSeconds(Number(event.target.value))}
      >
        {overlaps.map(({ seconds, label }) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
      </Choice>
      {apiKey.current && (
        <Notice tone="wait">
          <p>This is the key of this session. Once it ends you will have to sign in with the new one.</p>
        </Notice>
      )}
      {error && <Failed error={error} what="The key could not be rotated" />}
      <DialogActions onClose={onClose} act="Rotate" acting="Rotating…" busy={fetching} />
    </Dialog>
  )
}
