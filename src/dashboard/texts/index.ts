/**
 * The texts of the first page load. `imports` in package.json chooses the language; each language has a folder, such as
 * `en`.
 */
export * as t from '#language/index.ts'
