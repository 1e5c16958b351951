import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Shows the secret, which is not shown again, so the dialog closes only after a choice. */
export function SecretDialog({
  title,
  secret,
  note,
  onClose,
}: {
  title: string
  secret: string
  note?: string
  onClose(): void
}) {
  const [isSaved, setIsSaved] = useState(false)
  const [warned, setWarned] = useState(false)
  const close = () => (isSaved ? onClose() : setWarned(true))
  return (
    <Dialog title={title} onClose={close}>
      <p>Copy your key now. You won’t be able to see it again. {note}</p>
      <div className="secret">
        <output aria-label="The new API key" className="mono break">
          {secret}
        </output>
        <CopyButton text={secret} what="the API key" label="Copy" onCopied={() => setIsSaved(true)} />
      </div>
      <div className="check">
        <input
          id="is-saved"
          type="checkbox"
          checked={isSaved}
          onChange={event => setIsSaved(event.target.checked)}
        />
        <label htmlFor="is-saved">I’ve saved this key somewhere safe</label>
      </div>
      {warned && !isSaved && (
        <Notice tone="wait" alert>
          <p>You haven’t copied this key. If you close now, it’s gone.</p>
        </Notice>
      )}
      <div className="actions">
        {warned && !isSaved && (
          <Button kind="danger" onClick={onClose}>
            Close without the key
          </Button>
        )}
        <Button kind="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}
