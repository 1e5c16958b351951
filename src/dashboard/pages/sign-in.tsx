import { type FormEvent, useEffect, useState } from 'react'
import icon from '../icon.svg'
import { t } from '../texts/index.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { IssuerButton } from './issuer-button.tsx'
import { PasskeyButton } from './passkey-button.tsx'

type Props = {
  opening: boolean
  refused: string | null
  again: (() => void) | null
  onKey(key: string): void
  /** Called when the browser has a session. */
  onSignedIn(): void
}

export function SignIn({ opening, refused, again, onKey, onSignedIn }: Props) {
  const [key, setKey] = useState('')
  const [hasTried, setHasTried] = useState(false)
  useEffect(() => {
    document.title = t.signIn.signInAnimalStore
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const pasted = key.trim().replace(/^Bearer\s+/i, '')
    setHasTried(true)
    if (pasted !== '') onKey(pasted)
  }
  // Show no form during a sign-in that needs no typed key: after each reload it would appear for a moment.
  if (opening && again)
    return (
      <main className="sign-in">
        <div className="card">
          <h1>{t.signIn.signingIn}</h1>
        </div>
      </main>
    )
  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit}>
        <img src={icon} alt="" width="44" height="44" />
        <div className="stack-tight">
          <h1>{t.signIn.animalStore}</h1>
          <p className="soft">{t.signIn.signInAsYourselfOr}</p>
        </div>
        {refused && (
          <Notice tone="bad" alert>
            <p>{refused}</p>
            {again && (
              <div>
                <Button onClick={again}>{t.signIn.tryAgain}</Button>
              </div>
            )}
          </Notice>
        )}
        <PasskeyButton onSignedIn={onSignedIn} />
        <IssuerButton />
        <Field
          label={t.signIn.apiKey}
          type="password"
          autoFocus
          name="api-key"
          autoComplete="off"
          spellCheck={false}
          placeholder="as_…"
          value={key}
          onChange={event => setKey(event.target.value)}
          error={hasTried && key.trim() === '' ? t.signIn.pasteApiKey : undefined}
          hint={t.signIn.needsScopeProjectReadKey}
        />
        <Button kind="primary" type="submit" busy={opening}>
          {opening ? t.signIn.signingIn : t.signIn.signIn}
        </Button>
        <p className="small soft">
          {t.signIn.firstStartOfServicePrints(
            <span className="mono">demo</span>,
            <a href="/reference">{t.signIn.reference}</a>,
          )}
        </p>
      </form>
    </main>
  )
}
