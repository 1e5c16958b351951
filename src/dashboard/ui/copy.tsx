import { useEffect, useState } from 'react'
import { useAnnounce } from './announce.tsx'
import { Button } from './button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

/** `what` completes "Copy ..." for a screen reader; `onCopied` tells that it has happened. */
export function CopyButton({
  text,
  what,
  label,
  onCopied,
}: {
  text: string
  what: string
  label?: string
  onCopied?: () => void
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  const announce = useAnnounce()
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
      announce(`Copied ${what}.`)
      onCopied?.()
    } catch {
      setState('refused')
      announce('The browser does not allow copying. Select the text instead.')
    }
  }
  return (
    <Button kind={label ? 'plain' : 'quiet'} onClick={copy} aria-label={`Copy ${what}`}>
      {state === 'copied' ? <CheckIcon /> : <CopyIcon />}
      {label && (
        <span>{state === 'copied' ? 'Copied' : state === 'refused' ? 'Select it instead' : label}</span>
      )}
    </Button>
  )
}

export function CodeLine({ shown, copied = shown, what }: { shown: string; copied?: string; what: string }) {
  return (
    <div className="code">
      <pre>
        <code>{shown}</code>
      </pre>
      <CopyButton text={copied} what={what} />
    </div>
  )
}
