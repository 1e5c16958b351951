export const enter3To40Lower =
  'Enter 3 to 40 lower-case letters, digits and single hyphens between them, beginning with a letter.'
export const enterNameOfAtMost = 'Enter a name of at most 100 characters, or leave it empty.'
export const createdName = (name: string) => `Created ${name}.`
export const ownersKeyOfName = (name: string) => `The owner's key of ${name}`
export const handItToProjectsOwner = "Hand it to the project's owner."
export const createProject = 'Create project'
export const slug = 'Slug'
export const shortNameInAddresses3 =
  'The short name in addresses: 3 to 40 lower-case letters, digits and inner hyphens.'
export const thereIsProjectSlugAlready = (slug: string) =>
  `There is a project ${slug} already. Choose another slug.`
export const name = 'Name'
export const displayNameDefaultsToSlug = 'Display name. Defaults to the slug.'
export const projectCouldNotBeCreated = 'The project could not be created'
export const creating = 'Creating…'
export const chooseOneOfPlans = 'Choose one of the plans.'
export const customLimitsAreOnlyAvailable = 'Custom limits are only available on Enterprise.'
export const enterWholeNumberAtLeast = 'Enter a whole number, at least 1.'
export const enterWholeNumberAtLeastRequestsMinute = 'Enter a whole number, at least the requests a minute.'
export const plan = 'Plan'
export const requestsMinute = 'Requests a minute'
export const requestsDay = 'Requests a day'
export const project = 'Project'
export const minute = 'A minute'
export const day = 'A day'
export const days30 = '30 days'
export const actions = 'Actions'
export const nameRequestsPerMinuteMinute = (name: string, requestsPerMinute: string) =>
  `${name}, ${requestsPerMinute} a minute`
export const suspended = 'Suspended'
export const refusalsRefused = (refusals: string) => `${refusals} refused`
export const actionsForName = (name: string) => `Actions for ${name}`
export const setPlan = 'Set plan'
export const resume = 'Resume'
export const suspend = 'Suspend'
export const allPlans = 'All plans'
export const free = 'Free'
export const pro = 'Pro'
export const business = 'Business'
export const enterprise = 'Enterprise'
export const allStates = 'All states'
export const live = 'Live'
export const newestFirst = 'Newest first'
export const oldestFirst = 'Oldest first'
export const mostUsedFirst = 'Most used first'
export const everyStoreOnPlatformChanged =
  'Every store on the platform. A changed plan and a suspension take effect within a second.'
export const projects = 'Projects'
export const searchByNameOrSlug = 'Search by name or slug'
export const state = 'State'
export const projectsCouldNotBeLoaded = 'The projects could not be loaded'
export const noProjectsMatchYourSearch = 'No projects match your search'
export const noProjectYet = 'No project yet'
export const changeSearchOrFilterTo = 'Change the search or a filter to see others.'
export const createProjectAndGiveIts = 'Create a project, and give its first key to its owner.'
export const nameIsOnPlanPlan = (name: string, plan: string) => `${name} is on the plan ${plan}.`
export const setPlanOfName = (name: string) => `Set the plan of ${name}`
export const planCouldNotBeSet = 'The plan could not be set'
export const setting = 'Setting…'
export const resumed = 'Resumed'
export const itsKeysWorkAgainWithin = 'Its keys work again within a second.'
export const itsKeysAreRefusedUntil = 'Its keys are refused until you resume it. Nothing is lost.'
export const itCouldNotBeDone = 'The project could not be changed'
export const cancel = 'Cancel'
export const resuming = 'Resuming…'
export const suspending = 'Suspending…'
