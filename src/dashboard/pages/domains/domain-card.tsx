import { useEffect, useId } from 'react'
import { useMutation } from '../../app/operations.ts'
import { useProjectSlug } from '../../app/project.ts'
import { Link } from '../../app/router.tsx'
import {
  type DomainRowFragment,
  ReverifyDomainDocument,
  VerifyDomainDocument,
} from '../../generated/pages/graphql.ts'
import { date, number } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'
import { useAnnounce, useMark } from '../../ui/announce.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Failed } from '../../ui/states.tsx'
import { useNow } from '../../ui/time.tsx'
import { Certificate, certificateTitles } from './certificate.tsx'
import { DomainName, LookalikeHint } from './lookalike.tsx'
import { Partner } from './partner.tsx'
import { RecordsToCreate } from './records-to-create.tsx'
import { certificateStates, hostStates } from './states.ts'
import { Verdict, verdictTitles } from './verdict.tsx'

type Props = {
  domain: DomainRowFragment
  open: boolean
  onToggle(): void
  missing: string | null
  onRemove(): void
  onAddPartner(name: string): void
}

/** One line of the list; it expands to the details. */
export function DomainCard({ domain, open, onToggle, missing, onRemove, onAddPartner }: Props) {
  const [verifying, verify] = useMutation(VerifyDomainDocument)
  const [reverifying, reverify] = useMutation(ReverifyDomainDocument)
  const announce = useAnnounce()
  const wait = Math.ceil((Date.parse(domain.verifyAgainAt) - useNow()) / 1000)
  const busy = verifying.fetching || reverifying.fetching
  const again = domain.verifiedAt !== null
  const { error } = again ? reverifying : verifying
  const provider = domain.verdict?.dnsProvider
  const served = domain.host === 'live' || domain.host === 'drifted'

  const look = async () => {
    if (wait > 0) return
    const input = { id: domain.id }
    const { data } = again ? await reverify({ input }) : await verify({ input })
    const looked = data && ('domainVerify' in data ? data.domainVerify : data.domainReverify).domain
    if (looked)
      announce(
        t.domains.lookedAt(domain.displayName, t.domains.hosts[looked.host], looked.verdict?.message ?? ''),
      )
  }
  // Show what the look has found, or why it failed. The effect runs only while the list is on the page.
  useEffect(() => {
    if ((verifying.data ?? reverifying.data ?? error) && !open) onToggle()
  }, [verifying.data, reverifying.data, error])
  const details = useId()
  const project = useProjectSlug() ?? null
  return (
    <article className="domain" aria-label={domain.displayName} {...useMark(domain.id)}>
      <header>
        <h3>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={open ? details : undefined}
            onClick={onToggle}
          >
            <ChevronIcon />
            <span>
              <DomainName domain={domain} />{' '}
              {domain.primary && <Badge tone="plain">{t.domains.primary}</Badge>}
              <span className="small soft under">{inOneLine(domain)}</span>
            </span>
          </button>
        </h3>
        <dl className="axes">
          <div>
            <dt>{t.domains.host}</dt>
            <dd>
              <Badge tone={hostStates[domain.host].tone}>{hostStates[domain.host].label}</Badge>
            </dd>
          </div>
          <div>
            <dt>{t.domains.certificate}</dt>
            <dd>
              <Badge tone={certificateStates[domain.certificate].tone}>
                {certificateStates[domain.certificate].label}
              </Badge>
            </dd>
          </div>
        </dl>
        <div className="row actions">
          <Button missing={missing} busy={busy} aria-disabled={wait > 0 || undefined} onClick={look}>
            {busy ? t.domains.looking : again ? t.domains.reVerify : t.domains.verify}
            {wait > 0 && !busy && <span className="soft"> {t.domains.inSeconds(number(wait))}</span>}
          </Button>
          <Menu
            label={t.domains.actionsForDisplayName(domain.displayName)}
            items={[{ label: t.domains.remove, danger: true, missing, act: onRemove }]}
          />
        </div>
      </header>
      {open && (
        <div className="stack unfolded" id={details}>
          {error && <Failed error={error} what={t.domains.domainCouldNotBeVerified} />}
          {served && (
            <p className="small">
              <a href={`https://${domain.name}`} rel="noreferrer" target="_blank">
                {t.domains.openDisplayName(domain.displayName)}
              </a>
            </p>
          )}
          <LookalikeHint domain={domain} />
          <Verdict domain={domain} />
          <Certificate domain={domain} />
          {domain.host === 'live' || domain.host === 'paused' ? (
            <details>
              <summary>{t.domains.dnsRecord}</summary>
              <RecordsToCreate domain={domain} />
            </details>
          ) : (
            <div className="stack-tight">
              <h4>
                {t.domains.createThisDnsRecordAt(
                  provider ? (
                    <a href={provider.url} rel="noreferrer" target="_blank">
                      {provider.name}
                    </a>
                  ) : (
                    t.domains.yourRegistrar
                  ),
                )}
              </h4>
              <RecordsToCreate domain={domain} />
              <p className="small soft">{t.domains.valueMustMatchExactlyDnsChangesCan}</p>
            </div>
          )}
          <p className="small break">
            <Link to={{ page: 'settings/domains', project, id: domain.id.replace('domain_', '') }}>
              {t.domains.pageOfDisplayName(domain.displayName)}
            </Link>
          </p>
          <Partner domain={domain} missing={missing} onAdd={onAddPartner} />
        </div>
      )}
    </article>
  )
}

/** Returns the most important fact about the domain. */
function inOneLine({ host, verdict, certificateDetails, redirect }: DomainRowFragment): string {
  const problem = certificateDetails?.problem
  if (verdict && verdict.code !== 'verified') return verdictTitles[verdict.code]
  if (problem) return certificateTitles[problem.code]
  if (redirect) return t.domains.redirectsToWithStatus(redirect.to, String(redirect.status))
  if (!verdict) return t.domains.createDnsRecordThenChoose
  if (certificateDetails?.notAfter)
    return t.domains.certificateValidUntilWhen(date(certificateDetails.notAfter))
  return host === 'live' ? t.domains.certificateIsBeingIssued : ''
}
