const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** DNS changes can take up to 48 hours to propagate; after that a pending domain rests. */
const lookingMs = 48 * hourMs
/** How long a live domain stays served after its record has gone. */
export const driftForgivenMs = 7 * dayMs
/** How long domains stay served after a project fell to a plan without them. */
export const graceMs = 14 * dayMs
/** How soon a domain's owner may ask for another look. */
export const askAgainMs = 10_000

/** Pending domains are checked often at first and then ever less; null after 48 hours. A record that spreads arrives soon. */
export function nextPendingLook(looksSince: Date, now: number, isSpreading = false): Date | null {
  const waited = now - looksSince.getTime()
  if (waited >= lookingMs) return null
  const most = isSpreading ? 5 * minuteMs : 2 * hourMs
  const pause = Math.min(most, Math.max(minuteMs, waited / 4))
  return new Date(Math.min(now + pause, looksSince.getTime() + lookingMs))
}

/** Once a day; drifted domains and those whose DNS was silent more often, so that a repair shows soon. */
export function nextLiveLook(trouble: boolean, now: number, random = Math.random): Date {
  const pause = trouble ? 2 * hourMs : dayMs
  // Spread out, so that domains added together are not all looked at together for ever.
  return new Date(now + pause * (0.9 + 0.2 * random()))
}
