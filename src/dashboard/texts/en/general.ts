export const agreed = 'agreed'
export const theFact = (name: string) => `the ${name}`
export const projectCouldNotBeLoaded = 'The project could not be loaded'
export const plansCouldNotBeLoaded = 'The plans could not be loaded'
export const plans = 'Plans'
export const operatorOfServiceChangesPlan =
  'The operator of the service changes the plan. A new plan takes effect within a second. Requests that you have made already still count.'
export const plansAndTheirLimits = 'Plans and their limits'
export const plan = 'Plan'
export const minute = 'A minute'
export const day = 'A day'
export const domains = 'Domains'
export const yours = 'Yours'
export const yes = 'Yes'
export const no = 'No'
export const revokeKeysThatMayWrite = 'Revoke keys that may write'
export const revokeEveryKey = 'Revoke every key'
export const rotateKeyWorksForAnother = 'Rotate: the key works for another day'
export const onlyTell = 'Only notify'
export const keyThatMayWriteEnds = 'A key that may write ends at once. A key that only reads goes on working.'
export const keyEndsAtOnce = 'The key ends at once.'
export const keyWorksForAnotherDay =
  'The key works for another day, and a new key replaces it. Rotate the new key to see a secret.'
export const keyGoesOnWorkingUntil = 'The key goes on working until you rotate or revoke it.'
export const leakedKeysLabels = (labels: string) => `Leaked keys: ${labels}.`
export const leakedApiKeys = 'Leaked API keys'
export const whatHappensToKeyThat =
  'What happens to a key that secret scanning finds in public. You always get the event api_key.leaked with the address where the key was found.'
export const choiceCouldNotBeLoaded = 'The setting for leaked keys could not be loaded'
export const whatHappensToLeakedKeys = 'What happens to leaked keys'
export const save = 'Save'
export const saving = 'Saving…'
export const choiceCouldNotBeSaved = 'The setting for leaked keys could not be saved'
export const slug = 'Slug'
export const platformHost = 'Platform host'
export const requests = 'Requests'
export const management = 'Management'
export const requestsOfPlan = (perMinute: string, perDay: string) => `${perMinute} a minute, ${perDay} a day`
export const managementOfPlan = (perMinute: string) => `${perMinute} a minute, counted separately`
