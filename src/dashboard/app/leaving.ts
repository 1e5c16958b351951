let leaving = false
addEventListener('pagehide', () => {
  leaving = true
})
addEventListener('pageshow', () => {
  leaving = false
})

/** True while the page is being closed: only requests with `keepalive` outlive it. */
export const isLeaving = () => leaving
