/** The texts of the pages that load at their first visit, and those of the first load. */
export * as t from '#language/pages.ts'
