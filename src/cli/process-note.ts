/** Without Redis, each process counts limits and bans alone. Returns a note about this, or an empty text. */
export const processNote = (inAllProcesses: boolean) =>
  inAllProcesses
    ? ''
    : '\nThe service has no Redis: this holds for the process that answered, and until that process ends.'
