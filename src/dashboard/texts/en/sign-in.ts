import type { ReactNode } from 'react'
import { woven } from '../woven.ts'

export const signInWith = (host: string) => `Sign in with ${host}`
export const joinWith = (host: string) => `Join with ${host}`
export const yourSessionHasEndedSign = 'Your session has ended. Sign in again.'
export const thisKeyIsNoLonger = 'This key is no longer valid. Sign in with another key.'
export const yourSessionHasEndedOr = 'Your session has ended, or you were removed from the project.'
export const thisSignInTookToo = 'This sign-in took too long, or was begun in another tab. Try again.'
export const identityProviderDidNotSign = 'The identity provider did not sign you in. Try again.'
export const youBelongToNoProject =
  'You belong to no project here. Ask an owner of the project for an invitation.'
export const identityProviderDoesNotAnswer = 'The identity provider does not answer. Try again in a moment.'
export const thisLinkWasUsedWithdrawn =
  'This link was used, withdrawn or has expired. Ask an owner of the project for a new one.'
export const projectDoesNotAdmitYour =
  'The project does not admit your e-mail address, or the identity provider has not verified it. Ask an owner for an invitation.'
export const projectHasNoRoomFor = 'The project has no room for another member. Ask an owner of the project.'
export const storeCannotBeReachedCheck = 'The store cannot be reached. Check your network and try again.'
export const youAreStillSignedIn = (why: string) => `You are still signed in. ${why}`
export const serviceGaveAnswerThatThis = 'The service gave an answer that this page cannot read.'
export const noSuchKeyItMay = 'No such key: it may be mistyped, expired or revoked.'
export const serviceGaveNoAnswerThat = 'The service gave no answer that this page can read.'
export const thisKeyWorksButLacks =
  'This key works, but lacks the scope project:read that the dashboard needs.'
export const identityProviderCannotBeReached = 'The identity provider cannot be reached.'
export const passkeysNeedNameInAddress = (link: ReactNode) =>
  woven`Passkeys need a name in the address: open ${link}.`
export const signInWithPasskey = 'Sign in with a passkey'
export const passkeyWasNotAccepted = 'The passkey was not accepted.'
export const signInAnimalStore = 'Sign in · Animal Store'
export const animalStore = 'Animal Store'
export const signInAsYourselfOr = 'Sign in as yourself, or with an API key of your project.'
export const tryAgain = 'Try again'
export const apiKey = 'API key'
export const pasteApiKey = 'Paste an API key.'
export const needsScopeProjectReadKey =
  'Needs the scope project:read. The key stays in the tabs you open and is forgotten when you sign out or close them.'
export const signingIn = 'Signing in…'
export const signIn = 'Sign in'
export const firstStartOfServicePrints = (project: ReactNode, reference: ReactNode) =>
  woven`The first start of the service prints a sign-in link and a key of the project ${project}. The ${reference} shows what a key can do.`
export const reference = 'reference'
export const signInInstead = (link: (signIn: string) => ReactNode) => woven`${link('Sign in')} instead`
export const thisDeviceHasPasskeyOf = 'This device has a passkey of yours already.'
export const browserGaveNoPasskeyTry = 'The browser gave no passkey. Try again.'
