const scattered =
  'the rows of a page lie on more pages of a larger table, and the larger table does not fit into the buffers of PostgreSQL.'
const ownPage =
  'the row lies anywhere in a table of two gigabytes, so PostgreSQL reads its pages from the cache of the operating system.'
const newKey =
  'most requests are the first of their project, so the key, the project and its counts are read from PostgreSQL first.'
const between =
  "pets of other projects lie between the pets of a project, so a page's rows lie on more pages of the table."
const written =
  'each event is written to 20 streams, at about 30 microseconds each, and is read from PostgreSQL once.'
const checked =
  'each open stream is checked once a second: its key, its scope and its host must still be valid.'

/** Why a kind of request costs more in a large store, by axis and kind. The report prints these reasons where needed. */
export const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Pets of one project': {
    list: scattered,
    'list by status or category': scattered,
    'list, newest first': scattered,
    'GraphQL list': scattered,
    get: ownPage,
    'place an order': ownPage,
    update: ownPage,
  },
  Projects: {
    list: newKey,
    'list, newest first': newKey,
    'GraphQL list': newKey,
    get: newKey,
    inventory: newKey,
    create: newKey,
    'GraphQL create': newKey,
    'place an order': newKey,
    update: newKey,
    'list by a part of the name': between,
    'list by a part that no name has': between,
  },
  'Open streams': {
    create: written,
    'GraphQL create': written,
    'place an order': written,
    update: written,
    'import of 1,000 pets': checked,
    list: checked,
    'list, cached': checked,
    'list, newest first': checked,
    'list by a part of the name': checked,
    'list by a part that no name has': checked,
  },
  Events: { events: scattered },
}
