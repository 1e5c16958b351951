import { printable } from './printable.ts'

export type Named = { name: string; displayName: string; lookalikeOf?: string | null }

/** Formats a domain for people; adds its Punycode if the name looks like another one. */
export function domainName({ name, displayName, lookalikeOf }: Named): string {
  return lookalikeOf ? `${displayName} (${name})` : displayName
}

/** Returns a warning if the domain's letters look like those of another name, or else nothing. */
export function lookalikeHint({ name, displayName, lookalikeOf }: Named): string[] {
  if (!lookalikeOf) return []
  return ['', printable(`caution      ${displayName} looks like ${lookalikeOf}, but it is ${name}`)]
}
