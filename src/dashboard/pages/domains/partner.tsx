import type { DomainRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'

/** Offers to add the partner of a domain (its www or bare name), because visitors type both names. */
export function Partner({
  domain,
  missing,
  onAdd,
}: {
  domain: DomainRowFragment
  missing: string | null
  onAdd(name: string): void
}) {
  const { partner } = domain
  if (!partner || partner.added) return null
  return (
    <div className="row spread partner">
      <p className="small soft">
        {t.domains.visitorsMayAlsoTypeName(<span className="mono">{partner.name}</span>)}
      </p>
      <Button missing={missing} onClick={() => onAdd(partner.name)}>
        {t.domains.add} <span className="sr">{partner.name}</span>
      </Button>
    </div>
  )
}
