import type { ReactNode } from 'react'

type Fact = readonly [name: string, value: ReactNode]

/** The facts of a thing. Facts without a value are not shown. */
export function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <section className="card" aria-label={title}>
      <dl className="facts wide flat">
        {facts
          .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
          .map(([name, value]) => (
            <div key={name} className="fact">
              <dt>{name}</dt>
              <dd className="break">{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
