type Value = bigint | number | string | null
/** A statement for the driver. PostgreSQL parses and plans it once for each connection, under its name. */
type Statement = {
  name: string
  text: string
  values: readonly (Value | readonly Value[])[]
}
/** The columns of a row, in the statement's order, as PostgreSQL's text. */
export type Columns = (string | null)[]
/** For the few statements that most requests need: without Prisma they take a third of the time. */
export type Statements = { run(statement: Statement): Promise<Columns[]> }
/** A connection of its own, which no other work delays. */
export type Line = Statements & { close(): Promise<void> }
