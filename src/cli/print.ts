import { fitText, printable, widthOf } from './printable.ts'

type Cell = string | number | bigint | null | undefined
type Screen = { columns: number; colour: boolean }

/** Returns width and colours of a terminal. A file or pipe gets neither, so its text is complete and plain. */
export function readScreen({ isTTY, columns }: Partial<NodeJS.WriteStream>, env: NodeJS.ProcessEnv): Screen {
  const colour = env.FORCE_COLOR
    ? env.FORCE_COLOR !== '0'
    : isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  return { columns: isTTY && columns ? columns : Number.POSITIVE_INFINITY, colour }
}

const ownScreen = () => readScreen(process.stdout, process.env)

/** Never shorten the columns that people type or copy. */
const wholeColumns = new Set(
  'ID,KEY,DOMAIN,DEPLOY,PROJECT,ORDER,PET,CATEGORY,REFERENCE,RECORD NAME,VALUE,PROFILE,SERVICE'.split(','),
)
const narrowest = 8

/** Formats a table. Each column is as wide as its widest cell, or narrower if the table would not fit the screen. */
export function table(headings: string[], rows: Cell[][], screen = ownScreen()): string {
  const lines = [headings, ...rows.map(row => row.map(cell => printable(String(cell ?? '-'))))]
  const widths = headings.map((_, column) => Math.max(...lines.map(line => widthOf(line[column] ?? ''))))
  shrink(widths, headings, screen.columns)
  return lines
    .map((line, row) =>
      line
        .map((cell, column) => show(cell, widths[column] ?? 0, row === 0, screen))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Shrinks the widest column first. */
function shrink(widths: number[], headings: string[], columns: number): void {
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2)
  while (total() > columns) {
    const mayShrink = widths.map((width, column) => (wholeColumns.has(headings[column] ?? '') ? 0 : width))
    const widest = mayShrink.indexOf(Math.max(...mayShrink))
    const width = widths[widest] ?? 0
    if ((mayShrink[widest] ?? 0) <= narrowest) return
    widths[widest] = Math.max(narrowest, width - (total() - columns))
  }
}

function show(cell: string, width: number, isHeading: boolean, { colour }: Screen): string {
  const fitted = fitText(cell, width)
  const padded = fitted + ' '.repeat(width - widthOf(fitted))
  if (!colour) return padded
  const style = isHeading ? 'dim' : colourOf(cell)
  if (!style) return padded
  const [begin, end] = styles[style]
  return `\u001b[${begin}m${padded}\u001b[${end}m`
}

/** SGR codes that begin and end a style (ECMA-48). Node.js has `styleText` only from 20.12 on. */
const styles = { dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

const colours: [RegExp, 'green' | 'yellow' | 'red'][] = [
  [/^(available|active|live|issued|succeeded|delivered|valid)\b/, 'green'],
  [/^(pending|placed|approved|overlapping|checking|issuing)\b/, 'yellow'],
  [/^(suspended|revoked|expired|failed|cancelled|refused)\b/, 'red'],
]
const colourOf = (cell: string) => colours.find(([pattern]) => pattern.test(cell))?.[1]

/** Formats a time in UTC, to the minute. */
export function moment(time: string | null | undefined, absent = 'never'): string {
  return time ? `${time.slice(0, 16).replace('T', ' ')} UTC` : absent
}
