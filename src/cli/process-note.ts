/** Limits and bans of a service without Redis are known to one process each. */
export const processNote = (inAllProcesses: boolean) =>
  inAllProcesses
    ? ''
    : '\nThe service has no Redis: this holds for the process that answered, and until that process ends.'
