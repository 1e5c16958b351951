/**
 * Returns a note for a service without Redis, or else an empty text. Without Redis, each process has its own limits and
 * bans, so a change applies only to the process that answered.
 */
export const processNote = (inAllProcesses: boolean) =>
  inAllProcesses
    ? ''
    : '\nThe service has no Redis: this applies only to the process that answered, and only until that process ends.'
