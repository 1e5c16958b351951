import { invalidInput, StoreError } from '../../core/errors.ts'
import type { MutationResolvers } from '../generated/resolvers.ts'
import { makeId } from '../ids.ts'
import { apiKeyMutations } from './api-keys.ts'
import { banMutations } from './bans.ts'
import { bulkMutations } from './bulk.ts'
import { categoryMutations } from './categories.ts'
import { deployMutations } from './deploys.ts'
import { domainMutations } from './domains.ts'
import { orderMutations } from './orders.ts'
import { petMutations } from './pets.ts'
import { projectMutations } from './projects.ts'

/**
 * The deprecated mutations. Each one converts its arguments for its successor, and converts the successor's answer
 * back.
 */
export const formerMutations = {
  async createPet(parent, { input, idempotencyKey }, context) {
    const given = { input: { ...input, idempotencyKey } }
    return (await beside(['idempotencyKey'], () => petMutations.petCreate(parent, given, context))).pet
  },

  async updatePet(parent, { petId, input, ifMatch }, context) {
    const given = { input: { ...input, id: petId, ifMatch } }
    return (await beside(['ifMatch'], () => petMutations.petUpdate(parent, given, context))).pet
  },

  async deletePet(parent, { petId, ifMatch }, context) {
    const given = { input: { id: petId, ifMatch } }
    const { deletedId } = await beside(['ifMatch'], () => petMutations.petDelete(parent, given, context))
    return { petId: deletedId }
  },

  async updatePets(parent, args, context, info) {
    const { updated, updatedIds } = await bulkMutations.petsUpdate(parent, args, context, info)
    return { updated, ids: updatedIds }
  },

  async deletePets(parent, args, context, info) {
    const { deleted, deletedIds } = await bulkMutations.petsDelete(parent, args, context, info)
    return { deleted, ids: deletedIds }
  },

  async setCategory(parent, { categoryId, ...input }, context) {
    const given = { input: { ...input, id: makeId('category', categoryId) } }
    const set = () => categoryMutations.categorySet(parent, given, context)
    return (await beside(['name', 'ifMatch'], set)).category
  },

  async removeCategory(parent, { categoryId, ifMatch }, context) {
    const given = { input: { id: makeId('category', categoryId), ifMatch } }
    const remove = () => categoryMutations.categoryRemove(parent, given, context)
    return { removedId: (await beside(['ifMatch'], remove)).deletedId }
  },

  async placeOrder(parent, { input, idempotencyKey }, context) {
    const given = { input: { ...input, idempotencyKey } }
    return (await beside(['idempotencyKey'], () => orderMutations.orderPlace(parent, given, context))).order
  },

  async approveOrder(parent, input, context) {
    return (await beside(['ifMatch'], () => orderMutations.orderApprove(parent, { input }, context))).order
  },

  async deliverOrder(parent, input, context) {
    return (await beside(['ifMatch'], () => orderMutations.orderDeliver(parent, { input }, context))).order
  },

  async cancelOrder(parent, input, context) {
    return (await beside(['ifMatch'], () => orderMutations.orderCancel(parent, { input }, context))).order
  },

  issueApiKey: (parent, args, context) => apiKeyMutations.apiKeyIssue(parent, args, context),

  rotateApiKey: (parent, input, context) =>
    beside(['overlapSeconds'], () => apiKeyMutations.apiKeyRotate(parent, { input }, context)),

  async renameApiKey(parent, input, context) {
    return (await beside(['name'], () => apiKeyMutations.apiKeyRename(parent, { input }, context))).apiKey
  },

  async revokeApiKey(parent, input, context) {
    return (await apiKeyMutations.apiKeyRevoke(parent, { input }, context)).apiKey
  },

  banApiKey: (parent, args, context) => banMutations.apiKeyBan(parent, args, context),

  liftBan: (parent, args, context) => banMutations.apiKeyLiftBan(parent, args, context),

  async createProject(parent, args, context) {
    const { project, apiKey, secret } = await projectMutations.projectCreate(parent, args, context)
    return { project, owner: { apiKey, secret } }
  },

  async setPlan(parent, { project, ...input }, context) {
    const given = { input: { ...input, id: makeId('project', project) } }
    return (await beside(['limits'], () => projectMutations.projectSetPlan(parent, given, context))).project
  },

  async suspendProject(parent, { project }, context) {
    const given = { input: { id: makeId('project', project) } }
    return (await projectMutations.projectSuspend(parent, given, context)).project
  },

  async resumeProject(parent, { project }, context) {
    const given = { input: { id: makeId('project', project) } }
    return (await projectMutations.projectResume(parent, given, context)).project
  },

  resetRateLimit: (parent, args, context) => banMutations.projectResetRateLimit(parent, args, context),

  resumeCertificates: (parent, args, context) => domainMutations.certificatesResume(parent, args, context),

  addDomain: (parent, args, context) => domainMutations.domainAdd(parent, args, context),

  async verifyDomain(parent, input, context) {
    return (await domainMutations.domainVerify(parent, { input }, context)).domain
  },

  async reverifyDomain(parent, input, context) {
    return (await domainMutations.domainReverify(parent, { input }, context)).domain
  },

  async removeDomain(parent, input, context) {
    const { deletedId, ...more } = await domainMutations.domainRemove(parent, { input }, context)
    return { ...more, domainId: deletedId }
  },

  async deploy(parent, { input, dryRun }, context) {
    return (await deployMutations.deployCreate(parent, { input: { ...input, dryRun } }, context)).deploy
  },

  async rollback(parent, { to }, context) {
    return (await deployMutations.deployRollback(parent, { input: { id: to } }, context)).deploy
  },
} satisfies MutationResolvers

/**
 * Removes `input.` from field names in errors, because the deprecated mutations have these arguments beside `input` and
 * not in it.
 */
async function beside<Result>(args: readonly string[], act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'invalid_input') throw error
    const former = (field: string) => {
      const [, own = '', name = ''] = /^input\.((\w+)(?:\W.*)?)$/.exec(field) ?? []
      return args.includes(name) ? own : field
    }
    throw invalidInput(error.details.map(({ field, message }) => ({ field: former(field), message })))
  }
}
