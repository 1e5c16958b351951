import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { requireAdmitted } from '../../src/core/hosts/names.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import { openHosting } from '../../src/hosting/hosting.ts'
import { systemClock } from '../../src/tools/clock.ts'
import { openLog } from '../../src/tools/log.ts'
import { changesByHand } from '../support/changes-by-hand.ts'

test.each([
  ['that is the address of the service', 'api.animals.com'],
  [
    'that is the address of the staging service, which is configured with a port and a final dot',
    'staging.pets.com',
  ],
  ['below the address of the service', 'shop.api.animals.com'],
  ['under which the address of the staging service is registered', 'pets.com'],
  ['under which the address of the service is registered', 'animals.com'],
])('a project cannot add a name %s, for example %s', async (_, name) => {
  const config = readConfig({
    PUBLIC_URL: 'https://api.animals.com',
    STAGING_URL: 'https://staging.pets.com.:8443/',
    DATABASE_URL: 'postgresql://db/x',
  })
  const stands = { config, db: {} as PrismaClient, clock: systemClock, log: openLog('silent') }

  const { nameRules } = await openHosting({ ...stands, changes: changesByHand() })

  expect(() => requireAdmitted(name, nameRules)).toThrow()
  expect(() => requireAdmitted('www.shop.com', nameRules)).not.toThrow()
})
