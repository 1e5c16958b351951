import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { timeWithSeconds } from '../../texts/format.ts'
import { t } from '../../texts/pages.ts'

export function DeployLog({ lines }: { lines: DeployRowFragment['log'] }) {
  return (
    <ol className="log" aria-label={t.deploys.log}>
      {lines.map((line, index) => (
        <li key={index} className={line.level}>
          <time dateTime={line.at}>{timeWithSeconds(line.at)}</time>
          <span className="level">{t.deploys.levels[line.level]}</span>
          <span className="break">{line.message}</span>
        </li>
      ))}
    </ol>
  )
}
