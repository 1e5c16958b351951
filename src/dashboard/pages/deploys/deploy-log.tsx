import type { DeployRowFragment } from '../../generated/pages/graphql.ts'

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const words = { info: 'info', warning: 'warning', error: 'error' }

export function DeployLog({ lines }: { lines: DeployRowFragment['log'] }) {
  return (
    <ol className="log" aria-label="Log">
      {lines.map((line, index) => (
        <li key={index} className={line.level}>
          <time dateTime={line.at}>{time.format(new Date(line.at))}</time>
          <span className="level">{words[line.level]}</span>
          <span className="break">{line.message}</span>
        </li>
      ))}
    </ol>
  )
}
