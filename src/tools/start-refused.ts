/** The service cannot start for a reason that one sentence tells; a stack would only hide it. */
export class StartRefused extends Error {}
