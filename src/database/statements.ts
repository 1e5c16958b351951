type Value = bigint | number | string | null
/** A statement for the driver. PostgreSQL parses and plans it once for each connection, under its name. */
type Statement = {
  name: string
  text: string
  values: readonly (Value | readonly Value[])[]
  /**
   * PostgreSQL stops the statement after this time, and then `isStopped` is true for the error that `run` throws. The
   * embedded database never stops a statement. Without `timeoutMs`, the time limit of the connection applies.
   */
  timeoutMs?: number
}
/** The columns of a row, in the order of the statement. The values are in PostgreSQL's text format. */
export type Columns = (string | null)[]
/** Runs the few statements that most requests need. Without Prisma, these statements take a third of the time. */
export type Statements = { run(statement: Statement): Promise<Columns[]> }
/**
 * Runs statements outside the pool, so that they do not wait for a pooled connection. The embedded database has only
 * one connection, so its `Line` shares this connection with all other work.
 */
export type Line = Statements & { close(): Promise<void> }
