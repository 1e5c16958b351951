import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react'

type Around = { label: string; hint?: ReactNode; error?: string | undefined }

export function Field({ label, hint, error, ...input }: Around & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input className="input" {...input} {...described(id, hint, error)} />
    </Frame>
  )
}

export function Choice({ label, hint, error, ...select }: Around & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select className="input" {...select} {...described(id, hint, error)} />
    </Frame>
  )
}

/**
 * A labelled field, with a hint and an error, around an input that is neither a plain text input nor a select. The
 * child function receives the attributes for its input.
 */
export function FieldAround({
  children,
  ...around
}: Around & { children(input: ReturnType<typeof described>): ReactNode }) {
  const id = useId()
  return (
    <Frame id={id} {...around}>
      {children(described(id, around.hint, around.error))}
    </Frame>
  )
}

function described(id: string, hint: ReactNode, error: string | undefined) {
  const by = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return { id, 'aria-describedby': by || undefined, 'aria-invalid': error ? (true as const) : undefined }
}

function Frame({ id, label, hint, error, children }: Around & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span className="error" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </div>
  )
}
