import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { copyText } from '../app/copy-text.ts'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

type Props = {
  text: string
  /** The text after "Copy" in the button's label for screen readers. */
  what: string
  label?: string
  onCopied?: () => void
  onRefused?: () => void
}

export function CopyButton({ text, what, label, onCopied, onRefused }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 4000)
    return () => clearTimeout(timer)
  }, [state])

  const copy = async ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const copied = await copyText(text, currentTarget)
    setState(copied ? 'copied' : 'refused')
    if (copied) onCopied?.()
    else onRefused?.()
  }
  return (
    <>
      <Button kind={label ? 'plain' : 'quiet'} onClick={copy} aria-label={t.ui.copyWhat(what)}>
        {state === 'copied' ? <CheckIcon /> : <CopyIcon />}
        {label && <span>{state === 'copied' ? t.ui.copied : label}</span>}
      </Button>
      {/* Not a toast: a screen reader cannot read a toast behind an open dialog. */}
      <span className={state === 'refused' ? 'small bad-text' : 'sr'} role="status">
        {state === 'copied' && t.ui.copiedWhat(what)}
        {state === 'refused' && t.ui.browserDoesNotAllowCopying}
      </span>
    </>
  )
}

/** Shows a line to copy. If the browser refuses to copy, selects the line so that it can be copied by hand. */
export function CodeLine({ shown, copied = shown, what }: { shown: string; copied?: string; what: string }) {
  const [whole, setWhole] = useState(false)
  const code = useRef<HTMLElement>(null)
  useEffect(() => {
    if (whole && code.current) getSelection()?.selectAllChildren(code.current)
  }, [whole])
  return (
    <div className="code">
      <pre>
        <code ref={code}>{whole ? copied : shown}</code>
      </pre>
      <CopyButton text={copied} what={what} onRefused={() => setWhole(true)} />
    </div>
  )
}
