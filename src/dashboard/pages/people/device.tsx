import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { PersonCredential } from '../../app/credential.ts'
import { postSession, type Role } from '../../app/person.ts'
import { useRouter } from '../../app/router.tsx'
import { useSession } from '../../app/session.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Ago, Until } from '../../ui/time.tsx'

/** A terminal that asks to sign in, and the projects whose key it may get. */
type Asking = {
  machine: string
  address: string
  createdAt: string
  expiresAt: string
  projects: { slug: string; name: string; role: Role; scopes: string[] }[]
}
type Outcome = 'approved' | 'denied'

/** The page for the code that `animal-store login` prints. */
export default function Device() {
  const { key } = useSession()
  return (
    <>
      <PageHead title="Sign in a terminal" />
      {typeof key === 'string' ? (
        <Notice tone="wait" title="Sign in as a person first">
          <p>A terminal gets its key in the name of a person, and you are signed in with an API key.</p>
        </Notice>
      ) : (
        <Steps person={key} />
      )}
    </>
  )
}

function Steps({ person }: { person: PersonCredential }) {
  const { query } = useRouter()
  const [typed, setTyped] = useState(query.get('user_code') ?? '')
  const [asking, setAsking] = useState<Asking | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const again = () => {
    setAsking(null)
    setOutcome(null)
    setTyped('')
  }
  if (outcome)
    return (
      <Notice
        tone={outcome === 'approved' ? 'good' : 'info'}
        title={outcome === 'approved' ? 'The terminal is signed in' : 'The terminal was denied'}
        alert
      >
        <p>
          {outcome === 'approved'
            ? 'It gets its key within seconds. You can close this page; Your profile lists the key and can end it.'
            : 'It gets no key. You can close this page.'}
        </p>
        <div>
          <Button onClick={again}>Another code</Button>
        </div>
      </Notice>
    )
  if (asking)
    return <Decision person={person} code={typed} asking={asking} onDecided={setOutcome} onBack={again} />
  return <CodeForm person={person} typed={typed} onTyped={setTyped} onFound={setAsking} />
}

type FormProps = {
  person: PersonCredential
  typed: string
  onTyped(code: string): void
  onFound(asking: Asking): void
}

function CodeForm({ person, typed, onTyped, onFound }: FormProps) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | undefined>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (typed.trim() === '') return setRefused('Type the code that the terminal shows.')
    setBusy(true)
    setRefused(undefined)
    try {
      onFound(await postSession<Asking>('/device/show', { userCode: typed }, await person.bearer()))
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Field
        label="Code"
        name="user-code"
        className="input mono"
        autoFocus
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        placeholder="BCDF-GHJK"
        value={typed}
        onChange={event => onTyped(event.target.value)}
        error={refused}
        hint="The eight letters that animal-store login shows. They work for ten minutes."
      />
      <div>
        <Button kind="primary" type="submit" busy={busy}>
          Continue
        </Button>
      </div>
    </form>
  )
}

type DecisionProps = {
  person: PersonCredential
  code: string
  asking: Asking
  onDecided(outcome: Outcome): void
  onBack(): void
}

function Decision({ person, code, asking, onDecided, onBack }: DecisionProps) {
  const { machine, address, createdAt, expiresAt, projects } = asking
  const [slug, setSlug] = useState(person.access.project)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const announce = useAnnounce()
  const chosen = projects.find(project => project.slug === slug) ?? projects[0]
  useEffect(() => heading.current?.focus(), [])
  const decide = async (outcome: Outcome) => {
    if (busy) return
    setBusy(true)
    setRefused(null)
    try {
      const step = outcome === 'approved' ? '/device/approve' : '/device/deny'
      await postSession(step, { userCode: code, project: chosen?.slug }, await person.bearer())
      announce(outcome === 'approved' ? 'Approved the terminal.' : 'Denied the terminal.')
      onDecided(outcome)
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <section className="card stack" aria-labelledby="asking-title">
      <h2 id="asking-title" ref={heading} tabIndex={-1}>
        A terminal asks to sign in as you
      </h2>
      <dl className="facts wide">
        <dt>Machine</dt>
        <dd className="break">{machine}</dd>
        <dt>Address</dt>
        <dd className="mono break">{address}</dd>
        <dt>Asked</dt>
        <dd>
          <Ago at={createdAt} />, ends in <Until at={expiresAt} />
        </dd>
      </dl>
      <Choice label="Project of the key" value={chosen?.slug} onChange={event => setSlug(event.target.value)}>
        {projects.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </Choice>
      {chosen && (
        <p>
          It gets an API key for 90 days with your rights as {chosen.role}:{' '}
          <span className="mono break">{chosen.scopes.join(' ')}</span>
        </p>
      )}
      <Notice tone="wait">
        <p>
          Approve only if you have just started this yourself, on this machine. The machine’s name is what the
          terminal says.
        </p>
      </Notice>
      {refused && (
        <Notice tone="bad" alert>
          <p>{refused}</p>
        </Notice>
      )}
      <div className="row">
        <Button kind="primary" busy={busy} onClick={() => decide('approved')}>
          Approve
        </Button>
        <Button busy={busy} onClick={() => decide('denied')}>
          Deny
        </Button>
        <Button kind="quiet" onClick={onBack}>
          Another code
        </Button>
      </div>
    </section>
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'The code was refused.')
