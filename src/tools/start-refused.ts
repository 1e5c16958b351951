/** The service cannot start, for a reason that one sentence explains. Its stack is not printed. */
export class StartRefused extends Error {}
