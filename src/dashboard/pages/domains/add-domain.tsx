import { useState } from 'react'
import { useDraft } from '../../app/draft.ts'
import { useMutation } from '../../app/operations.ts'
import { faultsOf } from '../../app/problem.ts'
import { useProjectId } from '../../app/project.ts'
import { AddDomainDocument } from '../../generated/pages/graphql.ts'
import { listOf } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field } from '../../ui/field.tsx'
import { Restored } from '../../ui/restored.tsx'
import { Failed } from '../../ui/states.tsx'
import { DomainName, LookalikeHint } from './lookalike.tsx'
import { RecordsToCreate } from './records-to-create.tsx'

type Partner = { name: string; of: string }
type Props = {
  /** The domains that the project has. */
  known: readonly { name: string }[]
  partner?: Partner | undefined
  onClose(): void
}

/** Adds a domain, or the www or apex partner of an existing domain, which then redirects to it. */
export function AddDomain({ known, partner, onClose }: Props) {
  // After the addition, the project's domains include the added one.
  const [knownBefore] = useState(known)
  const [{ fetching, error, data }, add] = useMutation(AddDomainDocument)
  const projectId = useProjectId()
  const [draft, setDraft, draftState] = useDraft(`add domain ${partner?.name ?? ''}`, () => ({
    name: partner?.name ?? '',
    withPartner: false,
  }))
  const { name, withPartner } = draft
  const announce = useAnnounce()
  const { beside, elsewhere } = faultsOf(error, { name: domainWords })

  if (data) {
    const close = () => {
      draftState.forget()
      const newOnes = added.filter(domain => !knownBefore.some(({ name }) => name === domain.name))
      const say = newOnes.length > 0 ? t.domains.added : t.domains.projectHasAlready
      const named = newOnes.length > 0 ? newOnes : added
      announce(say(listOf(named.map(domain => domain.displayName))), named[0]?.id)
      onClose()
    }
    const { domain, partner: other } = data.domainAdd
    const both = [domain, ...(other ? [other] : [])]
    const added = both.filter(domain => domain.name !== partner?.of)
    return (
      <Dialog title={t.domains.createDnsRecord} onClose={close}>
        <p>{t.domains.createAtRegistrar(added.length)}</p>
        {added.map(domain => (
          <div className="stack-tight" key={domain.name}>
            <h3 className="break">
              <DomainName domain={domain} />
            </h3>
            <LookalikeHint domain={domain} />
            <RecordsToCreate domain={domain} />
          </div>
        ))}
        <p className="small soft">{t.domains.valueMustMatchExactlyDns}</p>
        <div className="actions">
          <Button kind="primary" onClick={close}>
            {t.domains.done}
          </Button>
        </div>
      </Dialog>
    )
  }
  const cancel = () => {
    draftState.forget()
    onClose()
  }
  const submit = () => {
    const chosen = partner ? { name: partner.of, withPartner: true } : { name, withPartner }
    const input = { ...chosen, projectId }
    if (!fetching) void add({ input }, { additionalTypenames: ['Domain', 'Deploy', 'Project'] })
  }
  return (
    <Dialog title={t.domains.addDomain} onClose={onClose} onSubmit={submit}>
      <Restored {...draftState} />
      <Field
        label={t.domains.domain}
        autoFocus
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        autoComplete="off"
        placeholder="shop.example.com"
        value={name}
        onChange={event => setDraft({ ...draft, name: event.target.value })}
        readOnly={partner !== undefined}
        hint={partner ? t.domains.itRedirectsToOfPartWith(partner.of) : t.domains.domainOrSubdomainOrPaste}
        error={beside.name}
      />
      {!partner && (
        <div className="check">
          <input
            id="with-partner"
            type="checkbox"
            checked={withPartner}
            onChange={event => setDraft({ ...draft, withPartner: event.target.checked })}
            aria-describedby="with-partner-hint"
          />
          <label htmlFor="with-partner">{t.domains.alsoAddWwwOrApex}</label>
          <span className="hint" id="with-partner-hint">
            {t.domains.soThatBothExampleCom}
          </span>
        </div>
      )}
      {elsewhere && <Failed error={elsewhere} what={t.domains.domainCouldNotBeAdded} />}
      <DialogActions onClose={cancel} act={t.domains.addDomain} acting={t.domains.adding} busy={fetching} />
    </Dialog>
  )
}

const domainWords = (message: string) =>
  message === 'is empty' ? t.domains.enterDomainSuchAsShop : t.domains.domainMessage(message)
