import { t } from '../../texts/pages.ts'

export const deployName = (id: string) => t.deploys.deployId(id.replace('deploy_', ''))
