import { useQuery } from '../app/operations.ts'
import { useProject } from '../app/project.ts'
import { PlansDocument } from '../generated/pages/graphql.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { number } from '../ui/meter.tsx'
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
          <Failed error={error} what="The project could not be loaded" />
        ) : !project ? (
          <Loading />
        ) : (
          <>
            <section className="card" aria-labelledby="project-title">
              <h2 id="project-title">{project.name}</h2>
              <dl className="facts wide">
                <Fact name="Slug" value={project.slug} copy />
                <Fact name="Platform host" value={project.platformHost} copy />
                <Fact name="REST" value={project.baseUrl} copy />
                <Fact
                  name="Requests"
                  value={`${number(project.limits.requestsPerMinute)} a minute, ${number(project.limits.requestsPerDay)} a day`}
                />
                <Fact
                  name="Management"
                  value={`${number(project.limits.managementPerMinute)} a minute, on a budget of its own`}
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
        {copy && <CopyButton text={value} what={`the ${name}`} />}
      </dd>
    </>
  )
}

function Plans({ current }: { current: string }) {
  const [{ data, error }] = useQuery({ query: PlansDocument })
  if (error && !data) return <Failed error={error} what="The plans could not be loaded" />
  if (!data) return <Loading />
  return (
    <section className="card flush" aria-labelledby="plans-title">
      <div className="card-head">
        <h2 id="plans-title">Plans</h2>
        <p className="small soft">
          The operator of the service changes the plan. It takes effect within a second and keeps the counts.
        </p>
      </div>
      <section className="table-frame" aria-label="Plans and their limits" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col" className="num">
                A minute
              </th>
              <th scope="col" className="num">
                A day
              </th>
              <th scope="col">Domains</th>
            </tr>
          </thead>
          <tbody>
            {data.plans.map(plan => (
              <tr key={plan.name}>
                <th scope="row">
                  <span className="row">
                    <span className="capital">{plan.name}</span>
                    {plan.name === current && <Badge tone="good">Yours</Badge>}
                  </span>
                </th>
                <td className="num">
                  {plan.requestsPerMinute === null ? 'agreed' : number(plan.requestsPerMinute)}
                </td>
                <td className="num">
                  {plan.requestsPerDay === null ? 'agreed' : number(plan.requestsPerDay)}
                </td>
                <td>{plan.customDomains ? 'Yes' : <span className="soft">No</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}
