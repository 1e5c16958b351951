/** All texts: those of the first page load, and those of the pages whose code is loaded on their first visit. */
export * as t from '#language/pages.ts'
