import { t } from '../../texts/pages.ts'
import { Notice } from '../../ui/notice.tsx'

type Named = { name: string; displayName: string; lookalikeOf?: string | null | undefined }

/** Shows a domain for people; adds its Punycode if the name looks like another one. */
export function DomainName({ domain: { name, displayName, lookalikeOf } }: { domain: Named }) {
  if (!lookalikeOf) return displayName
  return (
    <>
      {displayName} <span className="mono small">{name}</span>
    </>
  )
}

export function LookalikeHint({ domain: { name, lookalikeOf } }: { domain: Named }) {
  if (!lookalikeOf) return null
  return (
    <Notice tone="wait" title={t.domains.looksLikeLookalikeOf(lookalikeOf)}>
      <p>{t.domains.thisNameIsWrittenWith(<span className="mono">{name}</span>)}</p>
    </Notice>
  )
}
