type Value = bigint | number | string | null
/** A statement for the driver itself; PostgreSQL parses and plans it once for each connection, under its name. */
type Statement = {
  name: string
  text: string
  values: readonly (Value | readonly Value[])[]
}
/** The columns of a row in the order of the statement, as PostgreSQL writes them. */
export type Columns = (string | null)[]
/** For the few statements that most requests wait for: without Prisma they take a third of the time. */
export type Statements = { run(statement: Statement): Promise<Columns[]> }
/** A separate connection, which waits for no other work. */
export type Line = Statements & { close(): Promise<void> }
