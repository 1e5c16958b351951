type Value = bigint | number | string | null
/** One statement straight to the driver; PostgreSQL parses and plans it once for each connection, under its name. */
type Statement = {
  name: string
  text: string
  values: readonly (Value | readonly Value[])[]
}
/** A row's columns in the statement's order, as PostgreSQL writes them. */
export type Columns = (string | null)[]
/** For the few statements that most requests wait for: past Prisma they cost a third of the time. */
export type Statements = { run(statement: Statement): Promise<Columns[]> }
/** A connection of its own, which waits for no other one's work. */
export type Line = Statements & { close(): Promise<void> }
