const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** DNS changes can take up to 48 hours to propagate; after that a pending domain is no longer checked. */
const lookingMs = 48 * hourMs
/** How long a live domain stays served after its record has disappeared. */
export const driftForgivenMs = 7 * dayMs
/** How long domains stay served after a project moved to a plan without domains. */
export const graceMs = 14 * dayMs
/** The shortest time between two verifications of a domain. */
export const askAgainMs = 10_000

/** Pending domains are checked less and less often; null after 48 hours. Spreading ones within five minutes. */
export function nextPendingLook(looksSince: Date, now: number, isSpreading = false): Date | null {
  const waited = now - looksSince.getTime()
  if (waited >= lookingMs) return null
  const most = isSpreading ? 5 * minuteMs : 2 * hourMs
  const pause = Math.min(most, Math.max(minuteMs, waited / 4))
  return new Date(Math.min(now + pause, looksSince.getTime() + lookingMs))
}

/** Once a day; every two hours for drifted domains and after a failed lookup, so that a repair shows soon. */
export function nextLiveLook(trouble: boolean, now: number, random = Math.random): Date {
  const pause = trouble ? 2 * hourMs : dayMs
  // Random, so that domains added together are not always checked at the same time.
  return new Date(now + pause * (0.9 + 0.2 * random()))
}
