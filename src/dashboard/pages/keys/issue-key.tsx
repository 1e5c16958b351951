import { useState } from 'react'
import type { Scope } from '../../../generated/contract.ts'
import { isoOf, now } from '../../app/clock.ts'
import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { useProjectId } from '../../app/project.ts'
import { scopeName, useSession } from '../../app/session.ts'
import { IssueApiKeyDocument } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'
import { isGrantable } from './grantable.ts'
import { keyNameWords } from './rename-key.tsx'
import { useShowSecret } from './secret.tsx'

const scopes: { scope: Scope; allows: string }[] = [
  { scope: 'pets_read', allows: t.keys.listPets },
  { scope: 'pets_write', allows: t.keys.addAndChangePetsAnd },
  { scope: 'orders_read', allows: t.keys.seeOrders },
  { scope: 'orders_write', allows: t.keys.placeApproveDeliverAndCancel },
  { scope: 'events_read', allows: t.keys.readEvents },
  { scope: 'webhooks_write', allows: t.keys.sendEventsToEndpoints },
  { scope: 'project_read', allows: t.keys.seeUsageKeysDeploysAnd },
  { scope: 'project_write', allows: t.keys.changeKeysDeploysAndDomains },
]
const words = {
  name: keyNameWords,
  scopes: t.keys.chooseAtLeastOneOf,
  expiresAt: t.keys.chooseDateInFuture,
}
const ownDay = -1
const lifetimes = [
  { days: 0, label: t.keys.never },
  { days: 30, label: t.keys.in30Days },
  { days: 90, label: t.keys.in90Days },
  { days: 365, label: t.keys.inYear },
  { days: ownDay, label: t.keys.onCustomDate },
]

type Draft = { name: string; chosen: Scope[]; days: number; lastDay: string }

export function IssueKey({ onClose }: { onClose(): void }) {
  const session = useSession()
  const projectId = useProjectId()
  const [{ fetching, error }, issue] = useMutation(IssueApiKeyDocument)
  const [draft, setDraft, draftState] = useDraft<Draft>('issue key', () => ({
    name: '',
    chosen: ['pets_read'],
    days: 0,
    lastDay: '',
  }))
  const { name, chosen, days, lastDay } = draft
  const change = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed })
  const [dayMissing, setDayMissing] = useState(false)
  const grantable = (scope: Scope) => isGrantable(scope, session)
  // Omit scopes that this key cannot grant. The initial draft and the draft of another key may have such scopes.
  const granted = chosen.filter(grantable)
  const announce = useAnnounce()
  const showSecret = useShowSecret()
  const { beside, elsewhere } = faultsOf(error, words)

  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const submit = async () => {
    if (fetching) return
    setDayMissing(days === ownDay && lastDay === '')
    if (days === ownDay && lastDay === '') return
    const expiresAt = days === 0 ? null : days === ownDay ? endOf(lastDay) : inDays(days)
    const input = { name, scopes: granted, expiresAt, projectId }
    const { data } = await issue({ input }, { additionalTypenames: ['ApiKey'] })
    if (!data) return
    const { apiKey, secret } = data.apiKeyIssue
    showSecret({
      title: t.keys.keyName(apiKey.name),
      secret,
      onClose: () => announce(t.keys.issuedKeyName(apiKey.name), apiKey.id),
    })
    cancel()
  }
  const toggle = (scope: Scope) =>
    change({ chosen: chosen.includes(scope) ? chosen.filter(other => other !== scope) : [...chosen, scope] })
  return (
    <Dialog title={t.keys.issueApiKey} onClose={onClose} onSubmit={submit}>
      <Restored {...draftState} />
      <Field
        label={t.keys.name}
        autoFocus
        value={name}
        onChange={event => change({ name: event.target.value })}
        placeholder={t.keys.eGWebShop}
        hint={t.keys.labelToHelpYouRecognize}
        error={beside.name}
        autoComplete="off"
      />
      <fieldset>
        <legend className="legend">{t.keys.permissions}</legend>
        {scopes.map(({ scope, allows }) => (
          <div className="check" key={scope}>
            <input
              id={scope}
              type="checkbox"
              checked={granted.includes(scope)}
              disabled={!grantable(scope)}
              onChange={() => toggle(scope)}
              aria-describedby={`${scope}-allows`}
            />
            <label htmlFor={scope} className="mono">
              {scopeName(scope)}
            </label>
            <span className="hint" id={`${scope}-allows`}>
              {grantable(scope) ? allows : t.keys.youDontHaveThisPermission}
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
        label={t.keys.expires}
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
          label={t.keys.lastDay}
          type="date"
          max="9999-12-31"
          value={lastDay}
          onChange={event => change({ lastDay: event.target.value })}
          hint={t.keys.keyExpiresAtEndOf}
          error={dayMissing && lastDay === '' ? t.keys.chooseDay : beside.expiresAt}
        />
      )}
      {elsewhere && <Failed error={elsewhere} what={t.keys.keyCouldNotBeIssued} />}
      <DialogActions onClose={cancel} act={t.keys.issueKey} acting={t.keys.issuing} busy={fetching} />
    </Dialog>
  )
}

const inDays = (days: number) => new Date(now() + days * 86_400_000).toISOString()

/** Returns the last second of a day in the reader's time zone. The next midnight would be shown as the next day. */
const endOf = (day: string) => isoOf(new Date(`${day}T23:59:59`), day)
