export const sortBy = 'Sort by'
/** The two orders of a column, ascending and descending. */
export const age = ['Oldest first', 'Newest first'] as const
export const name = ['Name, A to Z', 'Name, Z to A'] as const
export const address = ['Address, A to Z', 'Address, Z to A'] as const
export const role = ['Role, owners first', 'Role, viewers first'] as const
export const trouble = ['Problems first', 'Problems last'] as const
export const end = ['End, earliest first', 'End, latest first'] as const
export const lastUse = ['Last use, earliest first', 'Last use, latest first'] as const
