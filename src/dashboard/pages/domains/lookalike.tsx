import { Notice } from '../../ui/notice.tsx'

type Named = { name: string; displayName: string; lookalikeOf?: string | null | undefined }

/** A domain as people write it; if it can be mistaken for another name, with its Punycode beside it. */
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
