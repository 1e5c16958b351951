import { StoreError } from '../../core/errors.ts'
import { findApiKey, isUsable } from '../../core/keys/api-keys.ts'
import { banApiKey, liftBan, resetRateLimit } from '../../core/projects/bans.ts'
import { logAct } from '../audit.ts'
import { type Context, requireOperator } from '../context.ts'
import type { MutationResolvers } from '../generated/resolvers.ts'
import { withinInput } from '../input.ts'
import { chosenProject, ownerOfKey } from './owning-project.ts'

/** Changes that operators make to limits and bans. */
export const banMutations = {
  async apiKeyBan(_parent, { input: { id, seconds } }, context) {
    const { project, apiKey } = await keyOf(context, id)
    const { db, limiter, clock } = context.tools
    if (!isUsable(apiKey, new Date(clock.now())))
      throw new StoreError('api_key_ended', 'This API key is revoked or expired; a ban would change nothing.')
    const ban = await withinInput(() => banApiKey(db, limiter, project, apiKey.id, seconds))
    const { endsAt } = ban
    logAct(context, 'API key banned', { project: project.slug, key: apiKey.prefix, seconds, endsAt })
    return { apiKey, ban, inAllProcesses: limiter.isShared }
  },

  async apiKeyLiftBan(_parent, { input: { id } }, context) {
    const { project, apiKey } = await keyOf(context, id)
    const { db, limiter } = context.tools
    const wasBanned = await liftBan(db, limiter, project, apiKey.id)
    logAct(context, 'ban of an API key lifted', { project: project.slug, key: apiKey.prefix, wasBanned })
    return { apiKey, wasBanned, inAllProcesses: limiter.isShared }
  },

  async projectResetRateLimit(_parent, { input: { id } }, context) {
    requireOperator(context)
    const { db, limiter } = context.tools
    const project = await chosenProject(context, id, 'project:write')
    await resetRateLimit(db, limiter, project)
    logAct(context, "project's rate limit reset", { project: project.slug })
    return { project, inAllProcesses: limiter.isShared }
  },
} satisfies MutationResolvers

async function keyOf(context: Context, id: string) {
  requireOperator(context)
  const key = await ownerOfKey(context, id, 'project:write')
  return { project: key.project, apiKey: await findApiKey(context.tools.db, key.project, key.id) }
}
