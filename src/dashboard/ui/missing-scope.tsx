import { LockIcon } from './icons.tsx'
import { Empty } from './states.tsx'

/** In place of what the key does not open. */
export function MissingScope({ scope, to }: { scope: string; to: string }) {
  return (
    <div className="card">
      <Empty icon={<LockIcon size={32} />} title={`This key may not ${to}`}>
        <p>
          It lacks the scope <span className="mono">{scope}</span>. Sign in with a key that has it, or issue
          one under API keys.
        </p>
      </Empty>
    </div>
  )
}
