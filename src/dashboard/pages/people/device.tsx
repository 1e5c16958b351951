import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { PersonCredential } from '../../app/credential.ts'
import { postSession, type Role } from '../../app/person.ts'
import { useRouter } from '../../app/router.tsx'
import { useSession } from '../../app/session.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Ago, Until } from '../../ui/time.tsx'

/** A terminal that asks to sign in. `projects` lists the projects for which the terminal may get a key. */
type Asking = {
  machine: string
  address: string
  createdAt: string
  expiresAt: string
  projects: { slug: string; name: string; role: Role; scopes: string[] }[]
}
type Outcome = 'approved' | 'denied'

/** The page where a person types the code that `animal-store login` prints. */
export default function Device() {
  const { key } = useSession()
  return (
    <>
      <PageHead title={t.people.signInTerminal} />
      {typeof key === 'string' ? (
        <Notice tone="wait" title={t.people.signInAsPersonFirst}>
          <p>{t.people.terminalGetsItsKeyIn}</p>
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
        title={outcome === 'approved' ? t.people.terminalIsSignedIn : t.people.terminalWasDenied}
        alert
      >
        <p>{outcome === 'approved' ? t.people.itGetsItsKeyWithin : t.people.itGetsNoKeyYou}</p>
        <div>
          <Button onClick={again}>{t.people.anotherCode}</Button>
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
    if (typed.trim() === '') return setRefused(t.people.typeCodeThatTerminalShows)
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
        label={t.people.code}
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
        hint={t.people.eightLettersThatAnimalStore}
      />
      <div>
        <Button kind="primary" type="submit" busy={busy}>
          {t.people.continueOn}
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
      announce(outcome === 'approved' ? t.people.approvedTerminal : t.people.deniedTerminal)
      onDecided(outcome)
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <section className="card stack" aria-labelledby="asking-title">
      <h2 id="asking-title" ref={heading} tabIndex={-1}>
        {t.people.terminalAsksToSignIn}
      </h2>
      <dl className="facts wide">
        <dt>{t.people.machine}</dt>
        <dd className="break">{machine}</dd>
        <dt>{t.people.address}</dt>
        <dd className="mono break">{address}</dd>
        <dt>{t.people.asked}</dt>
        <dd>{t.people.whenEndsInLeft(<Ago at={createdAt} />, <Until at={expiresAt} />)}</dd>
      </dl>
      <Choice
        label={t.people.projectOfKey}
        value={chosen?.slug}
        onChange={event => setSlug(event.target.value)}
      >
        {projects.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </Choice>
      {chosen && (
        <p>
          {t.people.terminalGetsRightsAs(t.people.roles[chosen.role])}{' '}
          <span className="mono break">{chosen.scopes.join(' ')}</span>
        </p>
      )}
      <Notice tone="wait">
        <p>{t.people.approveOnlyIfYouHave}</p>
      </Notice>
      {refused && (
        <Notice tone="bad" alert>
          <p>{refused}</p>
        </Notice>
      )}
      <div className="row">
        <Button kind="primary" busy={busy} onClick={() => decide('approved')}>
          {t.people.approve}
        </Button>
        <Button busy={busy} onClick={() => decide('denied')}>
          {t.people.deny}
        </Button>
        <Button kind="quiet" onClick={onBack}>
          {t.people.anotherCode}
        </Button>
      </div>
    </section>
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : t.people.codeWasRefused)
