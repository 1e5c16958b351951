import type { Response } from 'express'
import { scopesOfRole } from '../../core/keys/roles.ts'
import { approveCode, denyCode, findOpenCode } from '../../core/people/device-codes.ts'
import { endMachineKey, listMachineKeys } from '../../core/people/machine-keys.ts'
import { listMemberships } from '../../core/people/members.ts'
import { codeTryCharge } from '../../core/projects/limits.ts'
import type { Tools } from '../../tools.ts'
import { chargeSubject } from '../charge.ts'
import { refund } from '../refund.ts'
import { requirePerson, type Step } from './step.ts'

/**
 * The steps of a signed-in person who answers a terminal's request to sign in: show, approve or deny the request. The
 * profile page uses further steps: they list and revoke the keys of the person's terminals.
 */
export function deviceCodeSteps(tools: Tools): Record<string, Step> {
  const { db, clock } = tools

  /** Charges a try, and refunds it if the code was right: wrong tries are limited, right ones are free. */
  async function tryCode<Result>(
    response: Response,
    personId: string,
    use: () => Promise<Result>,
  ): Promise<Result> {
    const charge = codeTryCharge(personId)
    const decision = await chargeSubject(tools, response, charge)
    const result = await use()
    await refund(tools, { charge, decision })
    return result
  }

  return {
    /** Shows which terminal requests the sign-in. Needs a signed-in person. The code can still be used afterwards. */
    async '/device/show'(call) {
      const { id } = await requirePerson(tools, call)
      const code = await tryCode(call.response, id, () => findOpenCode(db, clock, call.body.userCode))
      const memberships = await listMemberships(db, id)
      const { machine, address, createdAt, expiresAt } = code
      return {
        ...{ machine, address, createdAt, expiresAt },
        projects: memberships.map(({ project, role }) => ({ ...project, role, scopes: scopesOfRole[role] })),
      }
    },

    async '/device/approve'(call) {
      const { id } = await requirePerson(tools, call)
      const { userCode, project } = call.body
      await tryCode(call.response, id, () => approveCode(db, clock, userCode, id, project))
      return {}
    },

    async '/device/deny'(call) {
      const { id } = await requirePerson(tools, call)
      await tryCode(call.response, id, () => denyCode(db, clock, call.body.userCode))
      return {}
    },

    async '/device/keys'(call) {
      const { id } = await requirePerson(tools, call)
      return { keys: await listMachineKeys(db, clock, id) }
    },

    async '/device/keys/end'(call) {
      const { id } = await requirePerson(tools, call)
      await endMachineKey(db, clock, id, call.body.id)
      return {}
    },
  }
}
