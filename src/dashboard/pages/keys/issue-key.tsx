import { useState } from 'react'
import type { Scope } from '../../../generated/contract.ts'
import { now } from '../../app/clock.ts'
import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { useProjectId } from '../../app/project.ts'
import { scopeName, useSession } from '../../app/session.ts'
import { IssueApiKeyDocument } from '../../generated/pages/graphql.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'
import { keyNameWords } from './rename-key.tsx'
import { SecretDialog } from './secret.tsx'

const scopes: { scope: Scope; allows: string }[] = [
  { scope: 'pets_read', allows: 'List the pets.' },
  { scope: 'pets_write', allows: 'Add and change pets, and name categories.' },
  { scope: 'orders_read', allows: 'See the orders.' },
  { scope: 'orders_write', allows: 'Place, approve, deliver and cancel orders.' },
  { scope: 'events_read', allows: 'See everything that happens.' },
  { scope: 'webhooks_write', allows: 'Send events to other addresses.' },
  { scope: 'project_read', allows: 'See usage, keys, deploys and domains, and sign in here.' },
  { scope: 'project_write', allows: 'Change keys, deploys and domains.' },
]
const words = {
  name: keyNameWords,
  scopes: 'Choose at least one of these.',
  expiresAt: 'Choose a date in the future.',
}
const ownDay = -1
const lifetimes = [
  { days: 0, label: 'Never' },
  { days: 30, label: 'In 30 days' },
  { days: 90, label: 'In 90 days' },
  { days: 365, label: 'In a year' },
  { days: ownDay, label: 'On a custom date' },
]

type Draft = { name: string; chosen: Scope[]; days: number; lastDay: string }

export function IssueKey({ onClose }: { onClose(): void }) {
  const session = useSession()
  const projectId = useProjectId()
  const [{ fetching, error, data }, issue] = useMutation(IssueApiKeyDocument)
  const [draft, setDraft, draftState] = useDraft<Draft>('issue key', () => ({
    name: '',
    chosen: ['pets_read'],
    days: 0,
    lastDay: '',
  }))
  const { name, chosen, days, lastDay } = draft
  const change = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed })
  const [dayMissing, setDayMissing] = useState(false)
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, words)

  if (data) {
    const { apiKey, secret } = data.apiKeyIssue
    const close = () => {
      draftState.forget()
      announce(`Issued the key ${apiKey.name}.`, apiKey.id)
      onClose()
    }
    return <SecretDialog title={`The key ${apiKey.name}`} secret={secret} onClose={close} />
  }

  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const submit = () => {
    if (fetching) return
    setDayMissing(days === ownDay && lastDay === '')
    if (days === ownDay && lastDay === '') return
    const expiresAt = days === 0 ? null : days === ownDay ? endOf(lastDay) : inDays(days)
    void issue({ input: { name, scopes: chosen, expiresAt, projectId } }, { additionalTypenames: ['ApiKey'] })
  }
  const toggle = (scope: Scope) =>
    change({ chosen: chosen.includes(scope) ? chosen.filter(other => other !== scope) : [...chosen, scope] })
  const grantable = (scope: Scope) => session.operator || session.scopes.includes(scope)
  return (
    <Dialog title="Issue an API key" onClose={onClose} onSubmit={submit}>
      <Restored {...draftState} />
      <Field
        label="Name"
        autoFocus
        value={name}
        onChange={event => change({ name: event.target.value })}
        placeholder="e.g. Web shop"
        hint="A label to help you recognize this key."
        error={beside.name}
        autoComplete="off"
      />
      <fieldset>
        <legend className="legend">Permissions</legend>
        {scopes.map(({ scope, allows }) => (
          <div className="check" key={scope}>
            <input
              id={scope}
              type="checkbox"
              checked={chosen.includes(scope)}
              disabled={!grantable(scope)}
              onChange={() => toggle(scope)}
              aria-describedby={`${scope}-allows`}
            />
            <label htmlFor={scope} className="mono">
              {scopeName(scope)}
            </label>
            <span className="hint" id={`${scope}-allows`}>
              {grantable(scope) ? allows : 'Your key doesn’t have this permission.'}
            </span>
          </div>
        ))}
        {beside.scopes && (
          <p className="bad-text small" role="alert">
            {beside.scopes}
          </p>
        )}
      </fieldset>
      <Choice
        label="Expires"
        value={days}
        onChange={event => change({ days: Number(event.target.value) })}
        error={days === ownDay ? undefined : beside.expiresAt}
      >
        {lifetimes.map(({ days: value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Choice>
      {days === ownDay && (
        <Field
          label="Last day"
          type="date"
          value={lastDay}
          onChange={event => change({ lastDay: event.target.value })}
          hint="The key expires at the end of this day in your time zone."
          error={dayMissing && lastDay === '' ? 'Choose a day.' : beside.expiresAt}
        />
      )}
      {elsewhere && <Failed error={elsewhere} what="The key could not be issued" />}
      <DialogActions onClose={cancel} act="Issue key" acting="Issuing…" busy={fetching} />
    </Dialog>
  )
}

const inDays = (days: number) => new Date(now() + days * 86_400_000).toISOString()

/** Returns the end of a day in the reader's time zone. */
function endOf(day: string): string {
  const end = new Date(`${day}T00:00:00`)
  end.setDate(end.getDate() + 1)
  return end.toISOString()
}
