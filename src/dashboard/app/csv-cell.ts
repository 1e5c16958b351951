/** Spreadsheets execute a cell that begins with one of these characters. */
export const beginsFormula = /^[=+\-@\t\r]/

/** Quotes a cell as in RFC 4180, and disarms formulas, because a name could begin like a formula. */
export function toCell(value: string | number): string {
  const text = beginsFormula.test(String(value)) ? `'${value}` : String(value)
  return quoted(text)
}

export const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
