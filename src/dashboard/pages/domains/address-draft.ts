type Redirect = { to: string; status: number }
/**
 * `primary` is empty if the primary domain is chosen automatically. The keys of `redirects` are the domains that
 * redirect.
 */
export type Draft = { primary: string; redirects: Record<string, Redirect>; httpsRedirectStatus: number }

type Published = {
  primary: string | null
  redirects: { from: string; to: string; status: number }[]
  httpsRedirectStatus: number | null
}

/** Returns a draft that is equal to the published addresses. */
export function draftOf(published: Published | undefined): Draft {
  const redirects = published?.redirects.map(({ from, to, status }) => [from, { to, status }] as const) ?? []
  return {
    primary: published?.primary ?? '',
    redirects: Object.fromEntries(redirects),
    httpsRedirectStatus: published?.httpsRedirectStatus ?? 308,
  }
}

export function without(redirects: Record<string, Redirect>, name: string) {
  return Object.fromEntries(Object.entries(redirects).filter(([from]) => from !== name))
}
