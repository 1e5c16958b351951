/** The texts of the first load. `imports` of package.json chooses the language: another one is a folder beside `en`. */
export * as t from '#language/index.ts'
