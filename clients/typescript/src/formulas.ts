/**
 * Spreadsheets run a cell that begins with one of `=`, `+`, `-`, `@`, tab and CR. In many regions, spreadsheets split a
 * line at semicolons instead of commas, and then ignore the quotes of a text that is not the first in its line. So a cell
 * can also begin inside a text: after a semicolon, a tab or a line end. The pattern includes the apostrophe, so that
 * `restoreFormulas` returns the original text.
 */
const beginsFormula = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r'])/g
const disarmedFormula = /(?<=^|[;\t\r\n])'(?=[=+\-@\t\r'])/g

/** Puts an apostrophe before each part of a CSV cell that a spreadsheet would run as a formula. */
export const disarmFormulas = (text: string): string => text.replace(beginsFormula, "'")

/** Removes the apostrophes that `disarmFormulas` has added. */
export const restoreFormulas = (text: string): string => text.replace(disarmedFormula, '')
