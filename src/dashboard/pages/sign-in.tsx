import { type FormEvent, useEffect, useState } from 'react'
import icon from '../icon.svg'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { IssuerButton } from './issuer-button.tsx'
import { PasskeyButton } from './passkey-button.tsx'

type Props = {
  opening: boolean
  refused: string | null
  remembered: string | null
  onKey(key: string): void
  /** Called when the browser has a session. */
  onSignedIn(): void
}

export function SignIn({ opening, refused, remembered, onKey, onSignedIn }: Props) {
  const [key, setKey] = useState('')
  const [hasTried, setHasTried] = useState(false)
  useEffect(() => {
    document.title = 'Sign in · Animal Store'
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const pasted = key.trim().replace(/^Bearer\s+/i, '')
    setHasTried(true)
    if (pasted !== '') onKey(pasted)
  }
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <img src={icon} alt="" width="44" height="44" />
        <div className="stack-tight">
          <h1>Animal Store</h1>
          <p className="soft">Sign in with a passkey, or with an API key of your project.</p>
        </div>
        {refused && (
          <Notice tone="bad" alert>
            <p>{refused}</p>
            {remembered !== null && (
              <div>
                <Button onClick={() => onKey(remembered)}>Try again</Button>
              </div>
            )}
          </Notice>
        )}
        <PasskeyButton onSignedIn={onSignedIn} />
        <IssuerButton />
        <Field
          label="API key"
          type="password"
          autoFocus
          name="api-key"
          autoComplete="off"
          spellCheck={false}
          placeholder="as_…"
          value={key}
          onChange={event => setKey(event.target.value)}
          error={hasTried && key.trim() === '' ? 'Paste an API key.' : undefined}
          hint="Needs the scope project:read. The key stays in the tabs you open and is forgotten when you sign out or close them."
        />
        <Button kind="primary" type="submit" busy={opening}>
          {opening ? 'Signing in…' : 'Sign in'}
        </Button>
        <p className="small soft">
          The first start of the service prints a sign-in link and a key of the project{' '}
          <span className="mono">demo</span>. The <a href="/reference">reference</a> shows what a key can do.
        </p>
      </form>
    </main>
  )
}
