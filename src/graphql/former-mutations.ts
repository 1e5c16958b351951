import type { Mutation } from './generated/resolvers.ts'

type Names = Exclude<keyof Mutation, '__typename'>

/** The deprecated mutations, which have no `input` and no payload, and their successors. */
export const successors = {
  createPet: 'petCreate',
  updatePet: 'petUpdate',
  deletePet: 'petDelete',
  updatePets: 'petsUpdate',
  deletePets: 'petsDelete',
  setCategory: 'categorySet',
  removeCategory: 'categoryRemove',
  placeOrder: 'orderPlace',
  approveOrder: 'orderApprove',
  deliverOrder: 'orderDeliver',
  cancelOrder: 'orderCancel',
  issueApiKey: 'apiKeyIssue',
  rotateApiKey: 'apiKeyRotate',
  renameApiKey: 'apiKeyRename',
  revokeApiKey: 'apiKeyRevoke',
  banApiKey: 'apiKeyBan',
  liftBan: 'apiKeyLiftBan',
  createProject: 'projectCreate',
  setPlan: 'projectSetPlan',
  suspendProject: 'projectSuspend',
  resumeProject: 'projectResume',
  resetRateLimit: 'projectResetRateLimit',
  resumeCertificates: 'certificatesResume',
  addDomain: 'domainAdd',
  verifyDomain: 'domainVerify',
  reverifyDomain: 'domainReverify',
  removeDomain: 'domainRemove',
  deploy: 'deployCreate',
  rollback: 'deployRollback',
} satisfies Partial<Record<Names, Names>>

export const formerSince = new Date('2026-11-26T00:00:00Z')
export const formerSunset = new Date('2027-12-31T00:00:00Z')
