export const deployName = (id: string) => `Deploy ${id.replace('deploy_', '')}`
