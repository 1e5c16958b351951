import { useEffect, useState } from 'react'
import { useKeepOpen } from '../../app/keep-open.tsx'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

type Props = {
  title: string
  secret: string
  /** The dialog's texts, which name the kind of secret. By default, they name an API key. */
  words?: typeof t.keys.secretKey
  note?: string
  onClose(): void
}

/** Returns a function that shows a secret, even if the reader has left the page or the dialog that created it. */
export function useShowSecret(): (secret: Props) => void {
  const keepOpen = useKeepOpen()
  return ({ onClose, ...shown }) =>
    keepOpen(close => (
      <SecretDialog
        {...shown}
        onClose={() => {
          close()
          onClose()
        }}
      />
    ))
}

/**
 * The secret is not shown again, so the dialog warns before it closes if the secret was neither copied nor marked as
 * saved.
 */
function SecretDialog({ title, secret, words = t.keys.secretKey, note, onClose }: Props) {
  const [isSaved, setIsSaved] = useState(false)
  const [warned, setWarned] = useState(false)
  const close = () => (isSaved ? onClose() : setWarned(true))
  useEffect(() => {
    if (isSaved) return
    // Makes the browser ask before it closes or reloads the page.
    const warn = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isSaved])
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
