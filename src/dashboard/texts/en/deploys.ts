/** @public */
export const levels = { info: 'info', warning: 'warning', error: 'error' }
export const redirect = (from: string, to: string, status: string) => `${from} to ${to} (${status})`
/** @public */
export const states = { succeeded: 'succeeded', failed: 'failed' }
export const title = 'Title'
export const none = 'none'
export const description = 'Description'
export const primary = 'Primary'
export const platformHost = 'the platform host'
export const httpToHttps = 'http to https'
export const redirects = 'Redirects'
export const pageOfId = (id: string) => `Page of ${id}`
export const log = 'Log'
export const deployId = (id: string) => `Deploy ${id}`
export const rollBack = 'Roll back'
export const rollBackToName = (name: string) => `Roll back to ${name}`
export const live = 'Live'
export const succeeded = 'Succeeded'
export const failed = 'Failed'
export const returnsToRollbackOf = (rollbackOf: string) => `Rollback to ${rollbackOf}`
export const deploy = 'Deploy'
export const state = 'State'
export const published = 'Published'
export const actions = 'Actions'
export const deployingMakesYourProjectLive =
  'Deploying makes your project live. A failed deploy changes nothing.'
export const deploys = 'Deploys'
export const publish = 'Publish'
export const deploysCouldNotBeLoaded = 'The deploys could not be loaded'
export const notPublishedYet = 'Not published yet'
export const firstDeployServesProjectAt =
  'The first deploy serves the project at its platform host, and custom domains can be added after it.'
export const publishProject = 'Publish the project'
export const enterTitleOfAtMost = 'Enter a title of at most 100 characters, or none.'
export const enterDescriptionOfAtMost = 'Enter a description of at most 1,000 characters, or none.'
export const configurationCouldNotBeLoaded = 'The configuration could not be loaded'
export const idIsInService = (id: string) => `${id} is in service.`
export const titleAndDescriptionHeadReference =
  "Title and description are shown at the top of the reference page on the project's own hosts. Domains stay as they are."
export const deployWasRefused = 'The deploy was refused'
export const itFailedAndChangedNothing = 'The deploy failed and changed nothing'
export const noProblemsFound = 'No problems found'
export const someoneElsePublished = 'Someone else published another title or description'
export const fieldsThatYouHaveNot =
  'The fields that you have not edited show the latest. Publish again to replace the others.'
export const cancel = 'Cancel'
export const checkOnly = 'Check only'
export const idIsInServiceAs = (made: string, former: string) =>
  `${made} is in service, with the configuration of ${former}.`
export const rollBackToId = (id: string) => `Roll back to ${id}?`
export const itsConfigurationOfWhenIs = (when: string) =>
  `Its configuration of ${when} is published again, as a new deploy.`
export const rollingBackWasRefused = 'Rolling back was refused'
export const rollingBack = 'Rolling back…'
