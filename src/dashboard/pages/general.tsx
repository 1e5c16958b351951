import { useQuery } from '../app/operations.ts'
import { useProject } from '../app/project.ts'
import { PlansDocument } from '../generated/pages/graphql.ts'
import { number } from '../texts/format.ts'
import { t } from '../texts/pages.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { SettingsHead } from '../ui/settings-head.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { LeakedKeys } from './leaked-keys.tsx'

export default function General() {
  const { project, error } = useProject()
  return (
    <>
      <SettingsHead part="settings/general" />
      <div className="stack loose">
        {error && !project ? (
          <Failed error={error} what={t.general.projectCouldNotBeLoaded} />
        ) : !project ? (
          <Loading />
        ) : (
          <>
            <section className="card" aria-labelledby="project-title">
              <h2 id="project-title">{project.name}</h2>
              <dl className="facts wide">
                <Fact name={t.general.slug} value={project.slug} copy />
                <Fact name={t.general.platformHost} value={project.platformHost} copy />
                <Fact name="REST" value={project.baseUrl} copy />
                <Fact
                  name={t.general.requests}
                  value={t.general.requestsOfPlan(
                    number(project.limits.requestsPerMinute),
                    number(project.limits.requestsPerDay),
                  )}
                />
                <Fact
                  name={t.general.management}
                  value={t.general.managementOfPlan(number(project.limits.managementPerMinute))}
                />
              </dl>
            </section>
            <LeakedKeys />
            <Plans current={project.plan.name} />
          </>
        )}
      </div>
    </>
  )
}

function Fact({ name, value, copy = false }: { name: string; value: string; copy?: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="row">
        <span className={copy ? 'mono' : ''}>{value}</span>
        {copy && <CopyButton text={value} what={t.general.theFact(name)} />}
      </dd>
    </>
  )
}

function Plans({ current }: { current: string }) {
  const [{ data, error }] = useQuery({ query: PlansDocument })
  if (error && !data) return <Failed error={error} what={t.general.plansCouldNotBeLoaded} />
  if (!data) return <Loading />
  return (
    <section className="card flush" aria-labelledby="plans-title">
      <div className="card-head">
        <h2 id="plans-title">{t.general.plans}</h2>
        <p className="small soft">{t.general.operatorOfServiceChangesPlan}</p>
      </div>
      <section className="table-frame" aria-label={t.general.plansAndTheirLimits} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.general.plan}</th>
              <th scope="col" className="num">
                {t.general.minute}
              </th>
              <th scope="col" className="num">
                {t.general.day}
              </th>
              <th scope="col">{t.general.domains}</th>
            </tr>
          </thead>
          <tbody>
            {data.plans.map(plan => (
              <tr key={plan.name}>
                <th scope="row">
                  <span className="row">
                    <span className="capital">{plan.name}</span>
                    {plan.name === current && <Badge tone="good">{t.general.yours}</Badge>}
                  </span>
                </th>
                <td className="num">
                  {plan.requestsPerMinute === null ? t.general.agreed : number(plan.requestsPerMinute)}
                </td>
                <td className="num">
                  {plan.requestsPerDay === null ? t.general.agreed : number(plan.requestsPerDay)}
                </td>
                <td>{plan.customDomains ? t.general.yes : <span className="soft">{t.general.no}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}
