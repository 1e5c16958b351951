export const invitesYouAs = (name: string, role: string) => `${name} invites you as ${role}.`
export const youJoinAs = (role: string) => `You join as ${role}.`
export const openLinkOfInvitation = 'Open the link of your invitation again.'
export const youWillSeeEverythingIn =
  'You will see everything in the project except webhooks, and change nothing.'
export const youWillBeAbleTo = 'You will be able to do everything except changing the members.'
export const youWillBeAbleToDoEverything = 'You will be able to do everything.'
export const youAreSignedInAs = (name: string) => `You are signed in as ${name}.`
export const anotherPersonHasSignedIn =
  'Another person has signed in in this browser since you opened this page. Check the name below before you join.'
export const youBelongToThisProject =
  'You belong to this project already. The link stays valid for somebody else.'
export const openProject = 'Open the project'
export const linkWasRefused = 'The link was refused.'
export const invitationAnimalStore = 'Invitation · Animal Store'
export const joinName = (name: string) => `Join ${name}`
export const invitation = 'Invitation'
export const yourName = 'Your name'
export const otherMembersSeeIt = 'The other members see this name.'
export const joining = 'Joining…'
export const join = 'Join'
