type Value = bigint | number | string | null
/** One statement straight to the driver; PostgreSQL parses and plans it once for each connection, under its name. */
type Statement = {
  name: string
  text: string
  values: readonly (Value | readonly Value[])[]
  /** Changes nothing, waits for no lock and is soon done: it may share a connection with others. */
  reads?: boolean
}
/** A row's columns in the statement's order, as PostgreSQL writes them. */
export type Columns = (string | null)[]
/** For the few statements that most requests wait for: past Prisma they cost a third of the time. */
export type Statements = { run(statement: Statement): Promise<Columns[]> }
