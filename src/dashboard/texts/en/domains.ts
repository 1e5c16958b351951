import type { ReactNode } from 'react'
import { pluralsOf } from '../plural.ts'
import { woven } from '../woven.ts'
import { language } from './language.ts'

const plural = pluralsOf(language)
const recordsIn = (count: number) => plural(count, { one: 'record', other: 'records' })

export const add = 'Add'
export const added = (names: string) => `Added ${names}.`
export const projectHasAlready = (names: string) => `The project has ${names} already.`
export const allOfRecords = (count: number, domain: string) => `all of the ${recordsIn(count)} for ${domain}`
export const asZoneFileRecords = (count: number, domain: string) =>
  `as zone file the ${recordsIn(count)} for ${domain}`
/** @public */
export const certificates = {
  none: 'none',
  issuing: 'issuing',
  issued: 'issued',
  failed: 'failed',
  expiring: 'expiring',
}
export const createAtRegistrar = (count: number) =>
  plural(count, {
    one: 'At the registrar of the domain, create this record, then choose Verify.',
    other: 'At the registrar of the domain, create these records, then choose Verify.',
  })
export const createProofAsWell = 'Create this record as well: Proof of ownership'
export const dnsRecords = (count: number, domain: string) => `The DNS ${recordsIn(count)} for ${domain}`
/** @public */
export const hosts = {
  pending: 'pending',
  stale: 'stale',
  live: 'live',
  drifted: 'drifted',
  paused: 'paused',
}
export const inSeconds = (seconds: string) => `in ${seconds} s`
export const lookedAt = (name: string, host: string, message: string) => `${name}: host ${host}. ${message}`
export const nothing = 'nothing'
export const proofOfOwnership = 'Proof of ownership'
export const redirectsToWithStatus = (target: string, status: string) => `Redirects to ${target} (${status})`
export const withoutRecord = (name: string, record: string) => `${name} without ${record}`
export const createDnsRecord = 'Create the DNS record'
export const valueMustMatchExactlyDns =
  'The value must match exactly. DNS changes can take up to 48 hours to propagate; we keep checking.'
export const done = 'Done'
export const addDomain = 'Add domain'
export const domain = 'Domain'
export const itRedirectsToOfPartWith = (ofPart: string) => `It redirects to ${ofPart} with a 301.`
export const domainOrSubdomainOrPaste = 'A domain or subdomain, or paste a URL.'
export const alsoAddWwwOrApex = 'Also add the www or apex version'
export const soThatBothExampleCom =
  'Then both example.com and www.example.com lead here: one redirects to the other with a 301.'
export const domainCouldNotBeAdded = 'The domain could not be added'
export const adding = 'Adding…'
export const enterDomainSuchAsShop = 'Enter the domain, such as shop.example.com.'
export const domainMessage = (message: string) => `The domain ${message}.`
export const domainsCouldNotBeLoaded = 'The domains could not be loaded'
export const noDomainYet = 'No domain yet'
export const onceProjectHasDomainsOne =
  'Once the project has domains, one of them can be its primary, and others can redirect.'
export const goToDomains = 'Go to Domains'
export const configurationCouldNotBeLoaded = 'The configuration could not be loaded'
export const someoneElsePublished = 'Someone else published other addresses'
export const publishAgainOrDiscard =
  'Nothing of yours is published yet. Publish to replace theirs, or discard your changes to see theirs.'
export const publishedAddressesAreInService = 'Published. The addresses are in service.'
export const primaryAndRedirects = 'Primary and redirects'
export const deployPublishesThemWithinSecond =
  'A deploy publishes the primary domain and the redirects within a second.'
export const primaryDomain = 'Primary domain'
export const automaticFirstLiveDomain = 'Automatic (first live domain)'
export const servesThisProjectNoRedirect = 'Serves this project (no redirect)'
export const redirectsToTarget = (target: string) => `Redirects to ${target}`
export const redirectType = 'Redirect type'
export const redirectTypeOfName = (name: string) => `Redirect type of ${name}`
export const redirectAnotherDomain = 'Redirect another domain'
export const domainsWithoutRedirectServeThis = 'Domains without a redirect serve this project.'
export const chooseDomain = 'Choose a domain'
export const statusOfRedirectsFromHttp = 'Status of redirects from http to https'
export const deployWasRefused = 'The deploy was refused'
export const deployFailedAndChangedNothing = 'The deploy failed and changed nothing'
export const publishing = 'Publishing…'
export const publish = 'Publish'
export const discard = 'Discard'
export const nothingToPublish = 'Nothing to publish.'
export const certificateIsBeingIssuedUsually =
  'The certificate is being issued, usually within a couple of minutes.'
export const triesAgainInLeftRe = (left: ReactNode) =>
  woven`Tries again in ${left}. Re-verify starts a new attempt at once.`
export const issuedByIssuer = (issuer: string) => `Issued by ${issuer}`
export const validUntilWhen = (when: string) => `Valid until ${when}`
export const renewsOnWhen = (when: string) => `Renews on ${when}`
export const dnsLookupFailed = 'DNS lookup failed'
export const caaRecordBlocksCertificate = 'A CAA record blocks the certificate'
export const certificateAuthorityCouldNotValidate = 'The certificate authority could not validate the name'
export const certificateAuthorityAsksToWait = 'The certificate authority asks to wait'
export const certificateAuthorityCannotBeReached = 'The certificate authority cannot be reached'
export const certificateAuthorityRefused = 'The certificate authority refused'
export const projectHasOrderedAsMany = 'The project has ordered as many certificates as it may for now'
export const keyOfCertificateCannotBe = 'The private key of the certificate cannot be decrypted'
export const certificateIsOverdue = 'The certificate is overdue'
export const type = 'Type'
export const name = 'Name'
export const value = 'Value'
export const typeOrAlternativeType = (type: string, alternativeType: string) =>
  `${type} or ${alternativeType}`
export const nameForDomain = (domain: string) => `the Name for ${domain}`
export const valueValueForDomain = (value: string, domain: string) => `the Value ${value} for ${domain}`
export const copyAll = 'Copy all'
export const asZoneFile = 'As zone file'
export const primary = 'Primary'
export const host = 'Host'
export const certificate = 'Certificate'
export const looking = 'Looking…'
export const reVerify = 'Re-verify'
export const verify = 'Verify'
export const actionsForDisplayName = (displayName: string) => `Actions for ${displayName}`
export const remove = 'Remove'
export const domainCouldNotBeVerified = 'The domain could not be verified'
export const openDisplayName = (displayName: string) => `Open ${displayName}`
export const dnsRecord = 'DNS record'
export const createThisDnsRecordAt = (place: ReactNode) => woven`Create this DNS record at ${place}`
export const yourRegistrar = 'your registrar'
export const valueMustMatchExactlyDnsChangesCan =
  'The value must match exactly. DNS changes can take up to 48 hours to propagate.'
export const pageOfDisplayName = (displayName: string) => `Page of ${displayName}`
export const createDnsRecordThenChoose = 'Create the DNS record, then choose Verify'
export const certificateValidUntilWhen = (when: string) => `Certificate valid until ${when}`
export const certificateIsBeingIssued = 'The certificate is being issued'
export const domains = 'Domains'
export const publishProjectAtYourOwn =
  'Publish the project at your own domain instead of the platform subdomain.'
export const chooseAddDomainCreateDns =
  'Choose Add domain, create the DNS record that is shown, and choose Verify. The certificate is then issued automatically.'
export const looksLikeLookalikeOf = (lookalikeOf: string) => `Looks like ${lookalikeOf}`
export const thisNameIsWrittenWith = (name: ReactNode) =>
  woven`Some letters of this name only look like those of the other name. In DNS, this name is ${name}. Check that it's the one you mean.`
export const visitorsMayAlsoTypeName = (name: ReactNode) =>
  woven`Visitors may also type ${name}. Add it to redirect them here with a 301.`
export const preconditionsCouldNotBeLoaded = 'The preconditions could not be loaded'
export const planNoLongerIncludesDomains = 'The plan no longer includes domains'
export const noneOfThemIsServed = (when: string) =>
  `They have not been served since ${when}, and their certificates are not renewed. With plan pro or above, they are served and renewed again.`
export const theyStayServedUntilWhen = (when: string) =>
  `They are served until ${when}. With plan pro or above, they stay served.`
export const beforeYouAddDomain = 'Before you add a domain'
export const paidPlanProOrAbove = 'A paid plan (Pro or above)'
export const seePlans = 'See the plans'
export const successfulDeployOfProject = 'A successful deploy of the project'
export const goToDeploys = 'Go to Deploys'
export const accessToDnsSettingsOf = "Access to the DNS settings of the domain's registrar"
export const thereYouWillCreateRecord = 'There you will create the record that is shown here.'
export const dnsZoneBeginsAtThis =
  "A DNS zone begins at this name, so it can't have a CNAME. Create an ALIAS or ANAME record instead; not every DNS provider supports these."
export const withoutAliasOrAnameAddresses = 'Without ALIAS or ANAME: addresses'
export const withoutCnameAddresses = 'Without CNAME: addresses'
export const ifYourDnsProviderHas =
  'If your DNS provider has neither ALIAS nor ANAME, create all of these records instead. Their addresses do not change.'
export const youCanCreateAllOf =
  'You can create all of these records instead, together with the proof of ownership below. Their addresses do not change.'
export const requiredIfAnotherProjectHas =
  'Required if another project has claimed or held this name, or if you use addresses instead of a CNAME. This record proves that you own the name: the name moves to this project at once.'
export const ownershipOfDisplayName = (displayName: string) => `the ownership of ${displayName}`
export const removedDisplayName = (displayName: string) => `Removed ${displayName}.`
export const displaynameIsRemoved = (displayName: string) => `${displayName} is removed`
export const itIsNoLongerServed = 'It is no longer served.'
export const removeDisplayName = (displayName: string) => `Remove ${displayName}?`
export const thisStopsServingTrafficFor =
  'This stops serving traffic for it immediately, and its certificate is no longer renewed.'
export const itIsPrimaryDomainNext =
  'It is the primary domain. After the removal, the first live domain takes its place until you choose another one.'
export const domainCouldNotBeRemoved = 'The domain could not be removed'
export const removing = 'Removing…'
export const pending = 'Pending'
export const stale = 'Stale'
export const live = 'Live'
export const drifted = 'Drifted'
export const paused = 'Paused'
export const none = 'None'
export const issuing = 'Issuing'
export const issued = 'Issued'
export const failed = 'Failed'
export const expiring = 'Expiring'
export const recordIsRight = 'The record is right'
export const noRecordFoundYet = 'No record found yet'
export const recordShowsAnotherValue = 'The record shows another value'
export const anotherRecordBlocksCname = 'Another record blocks the CNAME'
export const apexLeadsElsewhere = 'The apex leads elsewhere'
export const recordsFormLoop = 'The records form a loop'
export const moreThanOneCname = 'More than one CNAME'
export const proxyHidesRecord = 'A proxy hides the record'
export const proveThatNameIsYours = 'Prove that the name is yours'
export const anotherProjectHoldsThisName = 'Another project holds this name'
export const recordIsSpreading = 'Not all name servers have the record yet'
export const notCheckedYetCreate = 'Not checked yet. Create the record, then choose Verify.'
export const found = 'Found'
export const expected = 'Expected'
export const inWay = 'Conflicting record'
export const lastCheckedWhen = (when: ReactNode) => woven`Last checked ${when}`
export const nextCheckInLeft = (left: ReactNode) => woven`Next check in ${left}`
export const pausedUntilYouVerifyAgain = 'Paused until you verify again'
export const servedUntilWhen = (when: string) => `Served until ${when}`
export const isDone = '(done)'
export const isToDo = '(to do)'
export const newestFirst = 'Newest first'
export const byName = 'By name'
export const troubleFirst = 'Problems first'
