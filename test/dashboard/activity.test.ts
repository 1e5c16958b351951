import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { managementTypes, serviceTypes } from '../../src/core/events/types.ts'
import { invite } from '../../src/core/people/invitations.ts'
import { actWords, groups, typesOf } from '../../src/dashboard/pages/activity/acts.ts'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import { numberAll } from '../support/events.ts'
import type { TestProject } from '../support/start-app.ts'

const operatorKey = 'operator-key-of-the-activity-tests'
const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

it('the page of the activity has words for every type of audit entry', () => {
  expect(groups.flatMap(group => typesOf(group)).toSorted()).toEqual(managementTypes.toSorted())
  expect(serviceTypes.filter(type => actWords(type) === type)).toEqual([])
})

describeInBrowser(
  'the activity in the dashboard',
  { env: { OPERATOR_KEY: `mara:${operatorKey}` } },
  opened => {
    const path = '/dashboard/settings/activity'
    const isFaultless = async (page: Page) => {
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    }
    const rows = (page: Page) => page.getByRole('rowheader').allInnerTexts()
    const send = (owner: TestProject, query: string) => owner.post('/graphql', { query })
    async function makeBusyProject() {
      const owner = await opened.app.makeProject()
      const issued = await send(
        owner,
        'mutation { apiKeyIssue(input: { name: "Till", scopes: [pets_read] }) { apiKey { id } } }',
      )
      const { id } = (issued.json as { data: { apiKeyIssue: { apiKey: { id: string } } } }).data.apiKeyIssue
        .apiKey
      await send(owner, `mutation { apiKeyRename(input: { id: "${id}", name: "=Desk" }) { apiKey { id } } }`)
      await send(owner, 'mutation { deployCreate(input: {}) { deploy { id } } }')
      await opened.app.tools.db
        .$executeRaw`UPDATE projects SET name = 'By SQL' WHERE id = ${owner.project.id}`
      await numberAll(opened.app.tools)
      return { owner, keyId: id.replace('key_', '') }
    }
    async function exported(page: Page, format: string): Promise<string> {
      await page.getByRole('button', { name: 'Export the entries' }).click()
      const saved = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: format }).click()
      const chunks: Buffer[] = []
      for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString()
    }

    it('the activity shows who changed what and when, and filters the acts by actor, type, time and thing', async () => {
      for (const look of looks) {
        const { owner, keyId } = await makeBusyProject()
        const page = await opened.open(path, owner.secret, look)
        await page.getByRole('button', { name: 'Issued the API key Till' }).waitFor()
        expect(await rows(page)).toHaveLength(4)
        await isFaultless(page)
        await page.getByRole('button', { name: 'Changed the API key =Desk' }).click()
        await page.getByText('name from Till to =Desk').waitFor()
        await page.getByText('GraphQL', { exact: true }).waitFor()
        await isFaultless(page)

        await page.getByRole('button', { name: 'Its history' }).click()
        await expect.poll(() => rows(page)).toHaveLength(2)
        expect(page.url()).toContain(keyId)
        await page.getByRole('link', { name: 'Page of =Desk' }).click()
        await page.getByText('test: changed the API key (name from Till to =Desk)').waitFor()
        await isFaultless(page)
        await page.getByRole('link', { name: 'All its activity' }).click()
        await page.getByRole('button', { name: /^Stop filtering by api_key/ }).click()
        await expect.poll(() => rows(page)).toHaveLength(4)

        await page.getByLabel('Actor').selectOption('In the database')
        await expect.poll(() => rows(page)).toHaveLength(1)
        expect((await rows(page))[0]).toContain('Changed the project By SQL')
        await page.getByLabel('Type').selectOption('Deploys: all')
        await page.getByText('No entries match these filters.').waitFor()
        await isFaultless(page)
        await page.getByLabel('Actor').selectOption('By anybody')
        await page.getByRole('button', { name: /^Published the deploy/ }).waitFor()
        await page.getByLabel('To', { exact: true }).fill('2001-01-01')
        await page.getByText('No entries match these filters.').waitFor()
        await page.reload()
        await page.getByText('No entries match these filters.').waitFor()
        expect(await page.getByLabel('Type').inputValue()).toBe('deploy')
        await page.getByLabel('From', { exact: true }).fill('2001-01-02')
        await page.getByText('From is after To.').waitFor()
        await isFaultless(page)
        await page.getByLabel('From', { exact: true }).fill('2001-01-01')
        await page.getByText('No entries match these filters.').waitFor()
        await page.context().close()
      }
    })

    it('a click on an actor in the activity shows only the acts of that actor', async () => {
      const { owner } = await makeBusyProject()
      const { tools } = opened.app
      const { secret } = await invite(tools.db, tools.clock, owner.project, {
        role: 'owner',
        invitedBy: null,
      })
      const page = await opened.open('/healthz')
      await page.goto(`${tools.config.publicUrl}/dashboard/invitation#${secret}`)
      await page.getByLabel('Your name').fill('Ada')
      await page.getByRole('button', { name: 'Join' }).click()
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      await page.goto(`${tools.config.publicUrl}/dashboard/keys?do=add`)
      await page.getByLabel('Name').fill('Of Ada')
      await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click()
      await page.getByLabel('The new API key').waitFor()
      await numberAll(tools)
      await page.goto(`${tools.config.publicUrl}${path}`)
      await page.getByRole('button', { name: 'Only by Ada' }).first().click()
      await expect.poll(() => page.getByRole('button', { name: 'Only by test' }).count()).toBe(0)
      expect((await rows(page)).join()).toContain('Issued the API key Of Ada')
      expect(await page.getByLabel('Actor').locator('option:checked').textContent()).toBe('By Ada')
      await isFaultless(page)
      await page.context().close()
    })

    it('matching entries of the activity are exported as NDJSON, and as CSV in which a spreadsheet runs no name as a formula', async () => {
      const { owner } = await makeBusyProject()
      const page = await opened.open(`${path}?type=project&actor=database`, owner.secret)
      await page.getByRole('button', { name: 'Changed the project By SQL' }).waitFor()
      const csv = await exported(page, 'CSV')
      await page.getByText('Activity exported.').waitFor()
      await page.goto(`${opened.app.url}${path}?type=api_key`)
      await page.getByRole('button', { name: 'Issued the API key Till' }).waitFor()
      const ndjson = await exported(page, 'NDJSON')

      const ofRest = (query: string) => owner.get(`/v1/events/export?${query}`).then(({ text }) => text)
      expect(csv).toBe(await ofRest('type=project.changed&actor=database&format=csv&safe=1'))
      expect(csv).toContain(',project.changed,')
      expect(ndjson).toBe(await ofRest('type=api_key.issued,api_key.changed'))
      expect(ndjson.trim().split('\n')).toHaveLength(2)
      await page.context().close()
    })

    it('an operator exports the activity of all projects, with the project in each entry', async () => {
      const { owner } = await makeBusyProject()
      await opened.app.tools.db.$executeRaw`
        UPDATE events SET actor = '{"type":"operator","name":"=mara"}'
        WHERE project_id = ${owner.project.id} AND type = 'api_key.issued'`
      const page = await opened.open('/dashboard/activity?actor=operator%3A%3Dmara', operatorKey)
      await page.getByRole('button', { name: 'Issued the API key Till' }).waitFor()
      const csv = await exported(page, 'CSV')
      const ndjson = await exported(page, 'NDJSON')

      const [head, ...rows] = csv.trimEnd().split('\r\n')
      const { text } = await owner.get('/v1/events/export?type=api_key.issued&format=csv&safe=1')
      expect(head).toBe(`project,${text.split('\r\n')[0]}`)
      expect(rows).toHaveLength(1)
      expect(rows[0]?.split(',').slice(0, 8)).toEqual([
        owner.project.slug,
        ...(text.split('\r\n')[1]?.split(',').slice(0, 7) ?? []),
      ])
      expect(rows[0]).toContain(",operator,,'=mara,")
      expect(JSON.parse(ndjson)).toMatchObject({ project: owner.project.slug, type: 'api_key.issued' })
      await opened.app.tools.db.$executeRaw`
        DELETE FROM events WHERE project_id = ${owner.project.id}`
      await page.context().close()
    })

    it('an operator sees the activity of all projects together or of one project', async () => {
      const { owner } = await makeBusyProject()
      for (const look of looks) {
        const page = await opened.open('/dashboard/activity', operatorKey, look)
        await page.getByText(owner.project.slug).first().waitFor()
        await isFaultless(page)
        await page.goto(`${opened.app.url}/dashboard/projects/${owner.project.slug}/settings/activity`)
        await page.getByRole('button', { name: 'Issued the API key Till' }).waitFor()
        expect(await rows(page)).toHaveLength(4)
        await isFaultless(page)
        await page.context().close()
      }
      const stranger = await owner.issueKey(['pets:read', 'project:read'])
      const theirs = await opened.open('/dashboard/activity', stranger.secret)
      await theirs.getByRole('heading', { name: 'Nothing here' }).waitFor()
      await theirs.context().close()
    })
  },
)
