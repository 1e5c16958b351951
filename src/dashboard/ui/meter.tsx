import { number } from '../texts/format.ts'
import { t } from '../texts/index.ts'

/** Shows the used part of a limit, as a warning from 80 % and as an error at 100 %. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max === 0 ? 1 : Math.min(1, value / max)
  const level = share >= 1 ? 'full' : share >= 0.8 ? 'near' : 'calm'
  return (
    <div className="meter">
      <div className="row spread">
        <h3>{label}</h3>
        <span className="soft small">{t.ui.percent(number(Math.floor(share * 100)))}</span>
      </div>
      <p className="figure">
        <strong>{number(value)}</strong> <span className="soft">{t.ui.ofMaxRequests(number(max))}</span>
      </p>
      <div
        className={`track ${level}`}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={t.ui.used[level](number(value), number(max))}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
