import { useMutation } from '../../app/operations.ts'
import {
  type DomainRowFragment,
  ReverifyDomainDocument,
  VerifyDomainDocument,
} from '../../generated/graphql.ts'
import { useAnnounce, useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Failed } from '../../ui/states.tsx'
import { useNow } from '../../ui/time.tsx'
import { Certificate } from './certificate.tsx'
import { Partner } from './partner.tsx'
import { RecordsToCreate } from './records-to-create.tsx'
import { certificateStates, hostStates } from './states.ts'
import { Verdict } from './verdict.tsx'

type Props = {
  domain: DomainRowFragment
  missing: string | null
  onRemove(): void
  onAddPartner(name: string): void
}

export function DomainCard({ domain, missing, onRemove, onAddPartner }: Props) {
  const [verifying, verify] = useMutation(VerifyDomainDocument)
  const [reverifying, reverify] = useMutation(ReverifyDomainDocument)
  const announce = useAnnounce()
  const wait = Math.ceil((Date.parse(domain.verifyAgainAt) - useNow()) / 1000)
  const busy = verifying.fetching || reverifying.fetching
  const error = verifying.error ?? reverifying.error
  const again = domain.verifiedAt !== null
  const provider = domain.verdict?.dnsProvider
  const served = domain.host === 'live' || domain.host === 'drifted'

  const look = async () => {
    if (wait > 0) return
    const { data } = again ? await reverify({ id: domain.id }) : await verify({ id: domain.id })
    const looked = data && ('verifyDomain' in data ? data.verifyDomain : data.reverifyDomain)
    if (looked) announce(`${domain.displayName}: host ${looked.host}. ${looked.verdict?.message ?? ''}`)
  }
  return (
    <article className="card stack domain" aria-label={domain.displayName} {...useMark(domain.id)}>
      <header className="head">
        <div className="row">
          <h3 className="break">
            {served ? (
              <a href={`https://${domain.name}`} rel="noreferrer" target="_blank">
                {domain.displayName}
              </a>
            ) : (
              domain.displayName
            )}
          </h3>
          {domain.primary && <Badge tone="plain">Primary</Badge>}
        </div>
        <div className="row actions">
          <Button missing={missing} busy={busy} aria-disabled={wait > 0 || undefined} onClick={look}>
            {busy ? 'Looking…' : again ? 'Re-verify' : 'Verify'}
            {wait > 0 && !busy && <span className="soft"> in {wait} s</span>}
          </Button>
          <Menu
            label={`Actions for ${domain.displayName}`}
            items={[{ label: 'Remove', danger: true, missing, act: onRemove }]}
          />
        </div>
      </header>
      <dl className="axes">
        <div>
          <dt>Host</dt>
          <dd>
            <Badge tone={hostStates[domain.host].tone}>{hostStates[domain.host].label}</Badge>
          </dd>
        </div>
        <div>
          <dt>Certificate</dt>
          <dd>
            <Badge tone={certificateStates[domain.certificate].tone}>
              {certificateStates[domain.certificate].label}
            </Badge>
          </dd>
        </div>
        {domain.redirect && (
          <div>
            <dt>Redirects to</dt>
            <dd className="break">
              {domain.redirect.to} <span className="soft">({domain.redirect.status})</span>
            </dd>
          </div>
        )}
      </dl>
      {error && <Failed error={error} what="The domain could not be verified" />}
      <Verdict domain={domain} />
      <Certificate domain={domain} />
      {domain.host === 'live' || domain.host === 'paused' ? (
        <details>
          <summary>DNS record</summary>
          <RecordsToCreate domain={domain} />
        </details>
      ) : (
        <div className="stack-tight">
          <h4>
            Create this DNS record at{' '}
            {provider ? (
              <a href={provider.url} rel="noreferrer" target="_blank">
                {provider.name}
              </a>
            ) : (
              'your registrar'
            )}
          </h4>
          <RecordsToCreate domain={domain} />
          <p className="small soft">
            The value must match exactly. DNS changes can take up to 48 hours to propagate.
          </p>
        </div>
      )}
      <Partner domain={domain} missing={missing} onAdd={onAddPartner} />
    </article>
  )
}
