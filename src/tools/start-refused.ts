/** The service cannot start, for a reason that one sentence explains; a stack would hide it. */
export class StartRefused extends Error {}
