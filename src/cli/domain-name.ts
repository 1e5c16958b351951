import { printable } from './printable.ts'

export type Named = { name: string; displayName: string; lookalikeOf?: string | null }

/** A domain as people write it; if it can be mistaken for another name, with its Punycode beside it. */
export function domainName({ name, displayName, lookalikeOf }: Named): string {
  return lookalikeOf ? `${displayName} (${name})` : displayName
}

/** The lines about a domain whose letters look like others. */
export function lookalikeHint({ name, displayName, lookalikeOf }: Named): string[] {
  if (!lookalikeOf) return []
  return ['', printable(`caution      ${displayName} looks like ${lookalikeOf}, but it is ${name}`)]
}
