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
    <Notice tone="wait" title={`Looks like ${lookalikeOf}`}>
      <p>
        This name is written with other letters. It is the domain <span className="mono">{name}</span>. Check
        that it's the one you mean.
      </p>
    </Notice>
  )
}
