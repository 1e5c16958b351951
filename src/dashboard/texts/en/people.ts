import type { ReactNode } from 'react'
import { number } from '../format.ts'
import { pluralsOf } from '../plural.ts'
import { woven } from '../woven.ts'
import { language } from './language.ts'

const plural = pluralsOf(language)

export const invitationAs = (role: string) => `An invitation as ${role}`
export const memberWillBeOut = (name: string) =>
  `${name} will be out of the project within a second. API keys stay: they belong to the project.`
export const revokeKeys = (count: number) =>
  plural(count, { one: 'Revoke this key', other: `Revoke these ${number(count)} keys` })
/** @public */
export const roles = { viewer: 'viewer', developer: 'developer', owner: 'owner' }
export const withdrawFor = (role: string) => `Withdraw the invitation for the role ${role}`
export const youWillBeOut =
  'You will be out of the project within a second. API keys stay: they belong to the project.'
export const seesEverythingAndChangesNothing = 'Sees everything except webhooks, and changes nothing.'
export const doesEverythingExceptChangingMembers = 'Does everything except changing the members.'
export const doesEverything = 'Does everything.'
export const sendThisLinkToOne =
  'Send this link to one person. It works once, within seven days. You won’t be able to see it again.'
export const sentLinkTo = (email: string) =>
  `Sent the link to ${email}. It works once, within seven days. You won’t be able to see it again.`
export const mailServerDidNotTake = 'The mail server did not take the message. Send the link yourself.'
export const tooManyInvitationsSent =
  'Too many invitations were sent within the hour, or to this address within the day. Send the link yourself.'
export const serviceSendsNoMail = 'The service sends no mail. Send the link yourself.'
export const email = 'E-mail'
export const linkIsSentThere =
  'The link is sent to this address. Without an address, you send the link yourself.'
export const invitationsLink = 'The invitation’s link'
export const link = 'the link'
export const copy = 'Copy'
export const done = 'Done'
export const inviteSomebody = 'Invite somebody'
export const role = 'Role'
export const invitationCouldNotBeMade = 'The invitation could not be made'
export const makeLink = 'Make a link'
export const makingLink = 'Making a link…'
export const peopleWhoBelongToThis = 'People who belong to this project.'
export const peopleWhoBelongToThisProjectOnly =
  'People who belong to this project. Only owners change the members.'
export const inviteFirstOwner = 'Invite the first owner'
export const roleCouldNotBeChanged = 'The role could not be changed'
export const membersCouldNotBeLoaded = 'The members could not be loaded'
export const nobodyYetThisProjectIs = 'No members yet. Only API keys use this project.'
export const name = 'Name'
export const joined = 'Joined'
export const actions = 'Actions'
export const you = 'You'
export const change = 'Change'
export const changeRoleOfName = (name: string) => `Change the role of ${name}`
export const changedRoleOfName = (name: string, role: string) => `Changed the role of ${name} to ${role}.`
export const leaveProject = 'Leave the project'
export const removeName = (name: string) => `Remove ${name}`
export const leave = 'Leave'
export const remove = 'Remove'
export const invitationsCouldNotBeLoaded = 'The invitations could not be loaded'
export const openInvitations = 'Open invitations'
export const invitationCouldNotBeWithdrawn = 'The invitation could not be withdrawn'
export const madeBy = 'Made by'
export const ends = 'Ends'
export const operatorOrKey = 'the operator or a key'
export const inLeft = (left: ReactNode) => woven`in ${left}`
export const withdraw = 'Withdraw'
export const withdrewInvitation = 'Withdrew the invitation.'
export const yourProfile = 'Your profile'
export const yourProfileCouldNotBe = 'Your profile could not be loaded'
export const savedYourName = 'Saved your name.'
export const yourName = 'Your name'
export const enterNameOfAtMost = 'Enter a name of at most 100 characters, at least one of them visible.'
export const membersOfYourProjectsSee = 'The members of your projects see this name.'
export const nameCouldNotBeSaved = 'The name could not be saved'
export const save = 'Save'
export const saving = 'Saving…'
export const passkey = 'Passkey'
export const addedPasskey = 'Added a passkey.'
export const passkeyWasNotAccepted = 'The passkey was not accepted.'
export const passkeys = 'Passkeys'
export const youHaveNoPasskeyWhen =
  'You have no passkey. When this session ends, you need one to sign in again.'
export const lastUsed = 'Last used'
export const never = 'never'
export const removePasskeyName = (name: string) => `Remove the passkey ${name}`
export const removeLastPasskeyQuestion = 'Remove your last passkey?'
export const withoutPasskeyYouCannot =
  'Without a passkey, you cannot sign in again after you sign out or your session ends. Only an account at an identity provider, if you joined with one, still lets you in.'
export const signOutWithoutPasskeyQuestion = 'Sign out without a passkey?'
export const afterThisYouCannotSign =
  'You have neither a passkey nor an account at an identity provider. After this you cannot sign in again by yourself: you need a new link. To come back without one, first add a passkey in your profile.'
export const removedPasskey = 'Removed the passkey.'
export const passkeyCouldNotBeRemoved = 'The passkey could not be removed'
export const nameOfNewPasskey = 'Name of the new passkey'
export const eGLaptop = 'e.g. Laptop'
export const addPasskey = 'Add a passkey'
export const browsersAllowPasskeysOnlyOver =
  'Browsers allow passkeys only over HTTPS and at localhost. Open the dashboard there to add one.'
export const sessions = 'Sessions'
export const endAllOthers = 'End all others'
export const endedOtherSessions = 'Ended the other sessions.'
export const sessionCouldNotBeEnded = 'The session could not be ended'
export const device = 'Device'
export const thisOne = 'This one'
export const end = 'End'
export const endSessionOfDevice = (device: string) => `End the session of ${device}`
export const endedSession = 'Ended the session.'
export const nameIsRemoved = (name: string) => `${name} is removed`
export const theseApiKeysWhichName = (count: number, name: string) =>
  plural(count, {
    one: `This API key, which ${name} issued, still opens the project. Programs may depend on it.`,
    other: `These API keys, which ${name} issued, still open the project. Programs may depend on them.`,
  })
export const keysCouldNotBeRevoked = 'The keys could not be revoked'
export const keepKeys = (count: number) => plural(count, { one: 'Keep it', other: 'Keep them' })
export const leaveProjectQuestion = 'Leave the project?'
export const removeNameQuestion = (name: string) => `Remove ${name}?`
export const removedMember = (name: string) => `Removed ${name}.`
export const memberCouldNotBeRemoved = 'The member could not be removed'
export const leaving = 'Leaving…'
export const removing = 'Removing…'
export const yourDataCouldNotBe = 'Your data could not be exported.'
export const yourData = 'Your data'
export const downloadYourData = 'Download your data'
export const deleteYourProfile = 'Delete your profile'
export const deleteYourProfileQuestion = 'Delete your profile?'
export const youLeaveAllYourProjects =
  'You leave all your projects, and your name, passkeys and sessions are deleted. API keys that you issued stay.'
export const yourProfileCouldNotBeDeleted = 'Your profile could not be deleted'
export const deleteIt = 'Delete'
export const deleting = 'Deleting…'
export const terminalGetsRightsAs = (role: string) =>
  `It gets an API key for 90 days with your rights as ${role}:`
export const signInAsPerson = 'Sign in as a person.'
export const signInTerminal = 'Sign in a terminal'
export const signInAsPersonFirst = 'Sign in as a person first'
export const terminalGetsItsKeyIn =
  'A terminal gets its key in the name of a person, but you are signed in with an API key.'
export const terminalIsSignedIn = 'The terminal is signed in'
export const terminalWasDenied = 'The terminal was denied'
export const itGetsItsKeyWithin =
  'It gets its key within seconds. You can close this page; Your profile lists the key and can end it.'
export const itGetsNoKeyYou = 'It gets no key. You can close this page.'
export const anotherCode = 'Enter another code'
export const typeCodeThatTerminalShows = 'Type the code that the terminal shows.'
export const code = 'Code'
export const eightLettersThatAnimalStore =
  'The eight letters that animal-store login shows. They work for ten minutes.'
export const continueOn = 'Continue'
export const approvedTerminal = 'Approved the terminal.'
export const deniedTerminal = 'Denied the terminal.'
export const terminalAsksToSignIn = 'A terminal asks to sign in as you'
export const machine = 'Machine'
export const address = 'Address'
export const asked = 'Asked'
export const whenEndsInLeft = (when: ReactNode, left: ReactNode) => woven`${when}, ends in ${left}`
export const projectOfKey = 'Project of the key'
export const approveOnlyIfYouHave =
  'Approve only if you have just run animal-store login yourself. The machine’s name proves nothing, because the terminal chooses it.'
export const approve = 'Approve'
export const deny = 'Deny'
export const codeWasRefused = 'The code was refused.'
export const endedKeyOfMachine = (machine: string) => `Ended the key of ${machine}.`
export const terminals = 'Terminals'
export const noTerminalIsSignedIn = (command: ReactNode) =>
  woven`No terminal is signed in. Run ${command} in one.`
export const terminal = 'Terminal'
export const project = 'Project'
export const endKeyOfMachine = (machine: string) => `End the key of ${machine}`
export const terminalsCouldNotBeLoaded = 'The terminals could not be loaded.'
export const yourId = (id: ReactNode) => woven`Your id: ${id}`
export const operatorNeedsPasskey =
  'You are an operator of the service. To act as one, sign out and sign in with a passkey.'
export const joinByAddress = 'Joining by e-mail address'
export const peopleWithVerifiedAddress = (host: string) =>
  `People who sign in with ${host} and have a verified e-mail address of one of these domains may join on the page below. A member who left or was removed needs an invitation.`
export const joinDomainsCouldNotBeLoaded = 'The domains could not be loaded'
export const joinDomainCouldNotBeRemoved = 'The domain could not be removed'
export const joinDomainCouldNotBeAdded = 'The domain could not be added'
export const domain = 'Domain'
export const removedJoinDomain = (domain: string) => `Removed ${domain}.`
export const peopleOfDomainMayJoin = (domain: string) => `People of ${domain} may join.`
export const letDomainJoin = 'Let people of this domain join'
export const pageToJoin = 'The page to join'
export const thePageToJoin = 'the page to join'
export const joinAnimalStore = 'Join · Animal Store'
export const joinProject = (project: string) => `Join ${project}`
export const serviceHasNoIdentityProvider =
  'This service has no identity provider, so nobody can join here. Ask an owner of the project for an invitation.'
export const signInWithOrganization =
  'Sign in with your organization’s account. You join the project if its owners admit the domain of your verified e-mail address, with the role that they chose.'
