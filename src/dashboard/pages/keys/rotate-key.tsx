import { useState } from 'react'
import { useMutation } from '../../app/operations.ts'
import { type KeyRowFragment, RotateApiKeyDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Choice } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failed } from '../../ui/states.tsx'
import { useShowSecret } from './secret.tsx'

const overlaps = [
  { seconds: 0, label: t.keys.endsAtOnce },
  { seconds: 3_600, label: t.keys.for1Hour },
  { seconds: 86_400, label: t.keys.forAnotherDay },
  { seconds: 604_800, label: t.keys.forAnotherWeek },
  { seconds: 2_592_000, label: t.keys.forAnother30Days },
]

export function RotateKey({ apiKey, onClose }: { apiKey: KeyRowFragment; onClose(): void }) {
  const [{ fetching, error }, rotate] = useMutation(RotateApiKeyDocument)
  const announce = useAnnounce()
  const showSecret = useShowSecret()
  const [overlapSeconds, setOverlapSeconds] = useState(86_400)

  const submit = async () => {
    if (fetching) return
    const { data } = await rotate({ input: { id: apiKey.id, overlapSeconds } })
    if (!data) return
    const { apiKey: successor, secret } = data.apiKeyRotate
    showSecret({
      title: t.keys.newKeyName(apiKey.name),
      secret,
      note: overlapSeconds === 0 ? t.keys.oldOneHasEnded : t.keys.oldKeyKeepsWorkingFor,
      onClose: () => announce(t.keys.rotatedName(apiKey.name), successor.id),
    })
    onClose()
  }
  return (
    <Dialog title={t.keys.rotateName(apiKey.name)} onClose={onClose} onSubmit={submit}>
      <p>{t.keys.newKeyWithSameName}</p>
      <Choice
        label={t.keys.keepOldKeyActive}
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
          <p>{t.keys.thisIsKeyOfThisSessionOnce}</p>
        </Notice>
      )}
      {error && <Failed error={error} what={t.keys.keyCouldNotBeRotated} />}
      <DialogActions onClose={onClose} act={t.keys.rotate} acting={t.keys.rotating} busy={fetching} />
    </Dialog>
  )
}
