import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

type Props = {
  title: string
  secret: string
  /** Names of the secret: in sentences, and as a label. */
  words?: { short: string; long: string }
  note?: string
  onClose(): void
}
const ofKey = { short: 'key', long: 'API key' }

/** Shows the secret, which is not shown again, so the dialog closes only after a choice. */
export function SecretDialog({ title, secret, words: { short, long } = ofKey, note, onClose }: Props) {
  const [isSaved, setIsSaved] = useState(false)
  const [warned, setWarned] = useState(false)
  const close = () => (isSaved ? onClose() : setWarned(true))
  return (
    <Dialog title={title} onClose={close}>
      <p>
        Copy your {short} now. You won’t be able to see it again. {note}
      </p>
      <div className="secret">
        <output aria-label={`The new ${long}`} className="mono break">
          {secret}
        </output>
        <CopyButton text={secret} what={`the ${long}`} label="Copy" onCopied={() => setIsSaved(true)} />
      </div>
      <div className="check">
        <input
          id="is-saved"
          type="checkbox"
          checked={isSaved}
          onChange={event => setIsSaved(event.target.checked)}
        />
        <label htmlFor="is-saved">I’ve saved this {short} somewhere safe</label>
      </div>
      {warned && !isSaved && (
        <Notice tone="wait" alert>
          <p>You haven’t copied this {short}. If you close now, it’s gone.</p>
        </Notice>
      )}
      <div className="actions">
        {warned && !isSaved && (
          <Button kind="danger" onClick={onClose}>
            Close without the {short}
          </Button>
        )}
        <Button kind="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
