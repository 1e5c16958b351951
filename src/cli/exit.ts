/** Exit codes for scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongInput: 2,
  notAllowed: 3,
  notFound: 4,
  limited: 5,
  conflict: 6,
  recordNotRight: 7,
  ownershipNotProven: 8,
  dnsUnreachable: 9,
  notCertified: 10,
  recordSpreading: 11,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitCodesHelp = `
Exit codes: 0 done, 1 the service failed or cannot be reached, 2 wrong usage or input,
  3 not allowed, 4 not found, 5 over a limit or banned, 6 in conflict with the present state;
  domains verify also: 7 the record is wrong, 8 another project has the name, 9 the DNS lookup failed, 10 no certificate,
  11 only some name servers have the record so far.`

/** One fault of the input: the option, argument or line of a file, and what is wrong. */
export type Detail = { field: string; message: string; line?: number }

/** Ends the command with an error sentence; with `--json`, with a code and details. */
export class Refused extends Error {
  readonly exitCode: ExitCode
  readonly code: string
  readonly details: Detail[]
  /** Seconds after which the service accepts the request again; null if it did not say. */
  readonly retryAfterSeconds: number | null

  constructor(
    message: string,
    exitCode: ExitCode,
    code = codesOf[exitCode],
    details: Detail[] = [],
    retryAfterSeconds: number | null = null,
  ) {
    super(message)
    this.exitCode = exitCode
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Error codes for refusals by the command itself. */
const codesOf: Record<ExitCode, string> = {
  0: 'done',
  1: 'failed',
  2: 'invalid_input',
  3: 'not_allowed',
  4: 'not_found',
  5: 'limited',
  6: 'conflict',
  7: 'record_not_right',
  8: 'ownership_not_proven',
  9: 'dns_unreachable',
  10: 'not_certified',
  11: 'record_spreading',
}

/** Maps the HTTP status of a service error to an exit code. */
export function exitCodeOf(status: number): ExitCode {
  if (status === 400 || status === 413 || status === 422) return exitCodes.wrongInput
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404 || status === 410) return exitCodes.notFound
  if (status === 429) return exitCodes.limited
  return status === 409 || status === 412 ? exitCodes.conflict : exitCodes.failed
}
