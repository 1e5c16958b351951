import type { DeployRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { byAge } from '../../ui/sort.ts'
import { Table, unseen } from '../../ui/table.tsx'
import { DeployRow } from './deploy-row.tsx'

type Props = { deploys: DeployRowFragment[]; missing: string | null; onRollBack(to: DeployRowFragment): void }

const columns = [
  [t.deploys.deploy],
  [t.deploys.state, 'col-l wide'],
  [t.deploys.published, 'col-l wide', byAge],
  [unseen(t.deploys.actions), 'col-action'],
] as const

export function DeploysTable({ deploys, missing, onRollBack }: Props) {
  return (
    <Table columns={columns}>
      {deploys.map(deploy => (
        <DeployRow key={deploy.id} deploy={deploy} missing={missing} onRollBack={() => onRollBack(deploy)} />
      ))}
    </Table>
  )
}
