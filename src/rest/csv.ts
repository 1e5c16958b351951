/** Quotes a value as in RFC 4180. An unset value is an empty cell. */
export function csvCell(value: string | bigint | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
