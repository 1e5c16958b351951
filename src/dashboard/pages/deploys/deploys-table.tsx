import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { DeployRow } from './deploy-row.tsx'

type Props = { deploys: DeployRowFragment[]; missing: string | null; onRollBack(to: DeployRowFragment): void }

export function DeploysTable({ deploys, missing, onRollBack }: Props) {
  return (
    <div className="card flush">
      <table className="fixed">
        <thead>
          <tr>
            <th scope="col">Deploy</th>
            <th scope="col" className="col-l wide">
              State
            </th>
            <th scope="col" className="col-l wide">
              Published
            </th>
            <th scope="col" className="col-action">
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deploys.map(deploy => (
            <DeployRow
              key={deploy.id}
              deploy={deploy}
              missing={missing}
              onRollBack={() => onRollBack(deploy)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
