const count = new Intl.NumberFormat('en')
export const number = (value: number) => count.format(value)

/** Shows the used part of a limit, as a warning from 80 % and as an error at 100 %. */
export function Meter({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max === 0 ? 1 : Math.min(1, value / max)
  const level = share >= 1 ? 'full' : share >= 0.8 ? 'near' : 'calm'
  const word = { full: ' (used up)', near: ' (nearly used up)', calm: '' }[level]
  return (
    <div className="meter">
      <div className="row spread">
        <h3>{label}</h3>
        <span className="soft small">{Math.floor(share * 100)} %</span>
      </div>
      <p className="figure">
        <strong>{number(value)}</strong> <span className="soft">of {number(max)} requests</span>
      </p>
      <div
        className={`track ${level}`}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={`${number(value)} of ${number(max)} requests${word}`}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
