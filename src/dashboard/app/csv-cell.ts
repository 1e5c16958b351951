import { disarmFormulas } from '../../../clients/typescript/src/formulas.ts'

/** Quotes a cell as in RFC 4180, and disarms formulas, because a name could begin like a formula. */
export function toCell(value: string | number): string {
  return quoted(disarmFormulas(String(value)))
}

export const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
