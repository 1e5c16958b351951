import { useState } from 'react'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

type Props = {
  title: string
  secret: string
  /** Sentences that name the secret. */
  words?: typeof t.keys.secretKey
  note?: string
  onClose(): void
}

/** Shows the secret, which is not shown again, so the dialog closes only after a choice. */
export function SecretDialog({ title, secret, words = t.keys.secretKey, note, onClose }: Props) {
  const [isSaved, setIsSaved] = useState(false)
  const [warned, setWarned] = useState(false)
  const close = () => (isSaved ? onClose() : setWarned(true))
  return (
    <Dialog title={title} onClose={close}>
      <p>
        {words.copyNow} {note}
      </p>
      <div className="secret">
        <output aria-label={words.new} className="mono break">
          {secret}
        </output>
        <CopyButton text={secret} what={words.the} label={t.keys.copy} onCopied={() => setIsSaved(true)} />
      </div>
      <div className="check">
        <input
          id="is-saved"
          type="checkbox"
          checked={isSaved}
          onChange={event => setIsSaved(event.target.checked)}
        />
        <label htmlFor="is-saved">{words.isSaved}</label>
      </div>
      {warned && !isSaved && (
        <Notice tone="wait" alert>
          <p>{words.isNotCopied}</p>
        </Notice>
      )}
      <div className="actions">
        {warned && !isSaved && (
          <Button kind="danger" onClick={onClose}>
            {words.closeWithout}
          </Button>
        )}
        <Button kind="primary" onClick={close}>
          {t.keys.done}
        </Button>
      </div>
    </Dialog>
  )
}
