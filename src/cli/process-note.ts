/** Without Redis, each process counts limits and bans alone. Returns a note about this, or an empty text. */
export const processNote = (inAllProcesses: boolean) =>
  inAllProcesses
    ? ''
    : '\nThe service has no Redis: this applies only to the process that answered, and only until that process ends.'
