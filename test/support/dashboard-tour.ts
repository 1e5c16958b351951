import type { Locator, Page } from 'playwright-core'
import { deploy } from '../../src/core/deploys/deploys.ts'
import { invite } from '../../src/core/people/invitations.ts'
import { watchRequests } from './browser.ts'
import { askForCode } from './device-login.ts'
import { furnishDomains, furnished } from './domain-states.ts'
import { furnishUse } from './month-of-use.ts'
import { addAuthenticator } from './passkeys.ts'
import { signedIn } from './people.ts'
import type { App } from './start-app.ts'

/** Lets a test act on a page as a visitor does, who finds things by their names in the page's language. */
export type Hands = {
  page: Page
  say(text: string): string
  /**
   * Presses the first button, link or menu item whose name begins with this text. If a dialog is open, searches only
   * the dialog.
   */
  press(name: string): Promise<void>
  fill(text: string): Promise<void>
}

/** A page, or a state of it after some steps. */
export type Stop = { at: string; state?: string; steps?: (hands: Hands) => Promise<unknown> }

export const tourSettings = {
  OPERATOR_KEY: 'operator-key-of-the-tour-of-all-pages',
  OIDC_ISSUER: 'https://accounts.paws.example',
  OIDC_CLIENT_ID: 'the-tour',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'store@paws.example',
}

export function handsOn(page: Page, say: (text: string) => string): Hands {
  const scope = () => page.locator('dialog[open], body:not(:has(dialog[open]))')
  return {
    page,
    say,
    async press(name) {
      const begins = new RegExp(`^${say(name).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
      const within = scope()
      await within
        .getByRole('button', { name: begins })
        .or(within.getByRole('menuitem', { name: begins }))
        .or(within.getByRole('link', { name: begins }))
        .first()
        .click()
    },
    fill: text => scope().getByRole('textbox').first().fill(text),
  }
}

/** Makes a project with an object of every kind, and returns the stops of each visitor. */
export async function furnishTour({ tools, makeProject, url }: App) {
  const owner = await makeProject({ plan: 'pro' })
  const { project } = owner
  await furnishUse(tools, project.id, [(await owner.issueKey()).keyId])
  const post = async (path: string, body: object) =>
    (await owner.post(path, body)).json as { id: number & string }
  await owner.post('/graphql', {
    query: 'mutation { categorySet(input: { id: "category_7", name: "Γάτες" }) { category { id } } }',
  })
  const available = { status: 'available' }
  let petId = 0
  for (let n = 1; n <= 25; n++)
    petId = (await post('/v1/pets', { name: `Ρέξ ${n}`, categoryId: 7, ...(n > 1 && available) })).id
  await owner.patch(`/v1/pets/${petId}`, { name: 'Φλόξα', status: 'available' })
  await post('/v1/store/orders', { petId: petId - 1, reference: '76' })
  const orderId = (await post('/v1/store/orders', { petId, reference: '77', note: 'Σήμερα' })).id
  const webhookId = (await post('/v1/webhooks', { url: 'https://hooks.paws.example/in' })).id
  await furnishDomains(tools, project)
  await deploy(tools.db, tools.hosting, project, { title: 'Κατάστημα' })
  await deploy(tools.db, tools.hosting, project, { domains: { primary: 'nobody.example.net' } })
  const { db, clock } = tools
  const { secret: invitation } = await invite(db, clock, project, { role: 'owner', invitedBy: null })
  const developer = await signedIn(tools, tools.config.publicUrl, project, 'developer', 'Βασίλης')
  await developer.ask('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'mutation { apiKeyIssue(input: { name: "Κλειδί", scopes: [pets_read] }) { secret } }',
    }),
  })
  const { user_code: code } = await askForCode(url, '77')
  const reader = await owner.issueKey(['project:read'])
  return {
    owner,
    orderId,
    visitors: {
      'a signed-out visitor': { key: null, stops: signedOut(project.slug) },
      'a new member': { key: null, stops: newMember(invitation, code) },
      'an owner’s key': {
        key: owner.secret,
        stops: ownersPages({ petId, orderId, webhookId, keyId: owner.keyId }),
      },
      'an owner’s key that changes things': { key: owner.secret, stops: ownersActs(webhookId) },
      'a key that lacks permissions': { key: reader.secret, stops: lacking },
      'an operator': { key: tourSettings.OPERATOR_KEY, stops: operators(project.slug) },
    },
  }
}

const pages = (...paths: string[]): Stop[] => paths.map(at => ({ at }))
/**
 * Makes a stop of the page for each list of buttons. Pressing these buttons in their order opens a dialog or a menu.
 */
const pressing = (at: string, ...lists: string[][]): Stop[] =>
  lists.map(list => ({
    at,
    state: list.join(', '),
    steps: async ({ press }) => {
      for (const name of list) await press(name)
    },
  }))

const signedOut = (slug: string): Stop[] => [
  ...pages('/', `/join/${slug}`, '/invitation#nonsense'),
  {
    at: '/',
    state: 'a refused key',
    steps: async ({ page, say }) => {
      await page.locator('input[name=api-key]').fill('as_77')
      await page.getByRole('button', { name: say('Sign in'), exact: true }).click()
      await page.getByRole('alert').waitFor()
    },
  },
]

const newMember = (invitation: string, code: string): Stop[] => [
  { at: `/invitation#${invitation}` },
  {
    at: '',
    state: 'joined',
    steps: async ({ page, fill, say }) => {
      await fill('Άννα')
      await page.getByRole('button', { name: say('Join'), exact: true }).click()
      await page.locator('.shell').waitFor()
    },
  },
  ...pages('/profile', '/settings/members', '/device'),
  ...pressing('/profile', ['Delete your profile']),
  {
    at: '/profile',
    state: 'the question before somebody signs out who cannot sign in again',
    steps: async ({ page, press }) => {
      await press('Sign out')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    at: '/profile',
    state: 'the question before the last passkey is removed',
    steps: async ({ page, press }) => {
      await addAuthenticator(page)
      await press('Add a passkey')
      await press('Remove the passkey')
    },
  },
  ...pressing(
    '/settings/members',
    ['Invite somebody'],
    ['Invite somebody', 'Make a link'],
    ['Change the role'],
    ['Remove'],
    ['Leave'],
  ),
  {
    at: '/settings/members',
    state: 'an invitation whose mail fails',
    steps: async ({ page, press, fill }) => {
      await press('Invite somebody')
      await fill('77@paws.example')
      await press('Make a link')
      await page.getByRole('dialog').locator('output').waitFor()
    },
  },
  ...pressing('/settings/members', ['Remove', 'Remove']),
  ...pressing('/device', ['Continue']),
  { at: '/device?user_code=BBBB-BBBB', state: 'a wrong code', steps: ({ press }) => press('Continue') },
  {
    at: `/device?user_code=${code}`,
    state: 'a terminal that asks',
    steps: ({ press }) => press('Continue'),
  },
  { at: '', state: 'an approved terminal', steps: ({ press }) => press('Approve') },
  { at: '/profile', state: 'a terminal that is signed in' },
]

type Things = { petId: number; orderId: number; webhookId: string; keyId: string }

const ownersPages = ({ petId, orderId, webhookId, keyId }: Things): Stop[] => [
  ...pages(
    '/',
    '/?span=24h',
    '/pets',
    '/pets/categories',
    '/orders',
    '/keys',
    '/deploys',
    '/profile',
    '/device',
  ),
  ...pages(`/settings/domains?${furnished.map(({ name }) => `open=${name}`).join('&')}`, '/settings/domains'),
  ...pages('/settings/addresses', '/settings/general', '/settings/members', '/settings/webhooks'),
  ...pages('/settings/activity', '/nowhere'),
  ...pages(`/pets/${petId}`, `/orders/${orderId}`, `/keys/${keyId}`, `/settings/webhooks/${webhookId}`),
  ...pages('/deploys/1', '/settings/domains/1', '/pets/4040404', '/pets?name=404', '/keys?search=404'),
]

const ownersActs = (webhookId: string): Stop[] => [
  ...pages('/pets?do=add', '/pets?do=import', '/pets?do=export', '/orders?do=add', '/keys?do=add'),
  ...pages('/deploys?do=add', '/settings/domains?do=add', '/settings/webhooks?do=add'),
  ...pressing('/pets?do=add', ['Add pet']),
  ...pressing('/pets', ['Actions for'], ['Actions for', 'Edit'], ['Actions for', 'Place order']),
  ...pressing('/pets/categories', ['Add category'], ['Actions for', 'Rename'], ['Actions for', 'Remove']),
  ...pressing('/orders', ['Approve order'], ['Cancel order']),
  ...pressing(
    '/keys',
    ['Actions for', 'Rotate'],
    ['Actions for', 'Rename'],
    ['Actions for', 'Revoke'],
    ['Usage'],
  ),
  ...pressing('/keys?do=add', ['Issue key']),
  ...pressing('/deploys', ['Roll back to']),
  ...pressing('/settings/domains', ['Actions for'], ['Actions for', 'Remove']),
  ...pressing(
    `/settings/webhooks/${webhookId}`,
    ['Send test event'],
    ...['Edit', 'Send events again', 'Rotate secret', 'Delete'].map(act => [
      'Actions for this endpoint',
      act,
    ]),
  ),
  {
    at: '/pets',
    state: 'chosen pets',
    steps: async ({ page }) => {
      await page.getByRole('checkbox').nth(1).check()
      await page.getByRole('checkbox').nth(2).check()
    },
  },
  { at: '', state: 'a menu of chosen pets', steps: ({ press }) => press('Mark as') },
  {
    at: '',
    state: 'moving chosen pets',
    steps: async ({ page, press }) => {
      await page.keyboard.press('Escape')
      await press('Move')
    },
  },
  {
    at: '',
    state: 'a message with Undo',
    steps: async ({ page, press, say }) => {
      await page.keyboard.press('Escape')
      await press('Delete')
      // The message does not disappear while its button has the focus.
      await page.getByRole('button', { name: say('Undo') }).focus()
    },
  },
  { at: '', state: 'undone', steps: ({ press }) => press('Undo') },
  {
    at: '/orders',
    state: 'chosen orders',
    steps: ({ page }) => page.getByRole('checkbox').first().check(),
  },
  {
    at: '',
    state: 'moving chosen orders',
    steps: ({ page, say }) =>
      page
        .locator('.chosen')
        .getByRole('button', { name: say('Approve') })
        .click(),
  },
  {
    at: '/pets',
    state: 'the shortcuts',
    steps: async ({ page }) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    at: '/pets',
    state: 'the palette',
    steps: async ({ page }) => {
      await page.keyboard.press('/')
      await page.getByRole('dialog').getByRole('combobox').fill('Ρέξ')
      await page.getByRole('option').nth(2).waitFor()
    },
  },
  {
    at: '/keys?do=add',
    state: 'a new key',
    steps: async ({ page, fill, press }) => {
      await fill('Κλειδί')
      await press('Issue key')
      await page.getByRole('dialog').locator('output').waitFor()
    },
  },
  {
    at: '/settings/domains?do=add',
    state: 'the record of a new domain',
    steps: async ({ page, fill, press, say }) => {
      await fill('added.paws.example')
      await page.getByRole('dialog').getByRole('checkbox').check()
      await press('Add domain')
      await page.getByRole('dialog').getByText(say('Done')).waitFor()
    },
  },
  {
    at: '/settings/domains',
    state: 'a removed domain',
    steps: async ({ page, press }) => {
      await press('Actions for')
      await press('Remove')
      await press('Remove')
      await page.getByRole('dialog').getByRole('status').waitFor()
    },
  },
  {
    at: '/orders',
    state: 'a failing service',
    steps: async ({ page, press, say }) => {
      await page.route('**/graphql', route => route.abort())
      await press('Overview')
      await page.getByRole('button', { name: say('Retry') }).waitFor()
    },
  },
]

const lacking = pages('/', '/pets', '/orders', '/settings/webhooks', '/keys', '/settings/general')

const operators = (slug: string): Stop[] => [
  ...pages('/', '/domains', '/activity', `/projects/${slug}/`, `/projects/${slug}/settings/members`),
  ...pages('/projects/nowhere/'),
  ...pressing('/', ['Create project'], ['Create project', 'Create project'], ['Actions for', 'Set plan']),
  ...pressing('/', ['Actions for', 'Suspend']),
]

type Walk = {
  /** The address of the service. */
  url: string
  stops: readonly Stop[]
  say(text: string): string
  /** `leave` is called before each page, and `arrive` when the page shows everything. */
  leave?(): void
  arrive(name: string): Promise<void>
}

/**
 * Walks through all stops in one tab. Loads the page once and then navigates inside of it, because a load and the first
 * run of axe after it take half a second.
 */
export async function walkTour(page: Page, { url, stops, say, leave, arrive }: Walk): Promise<void> {
  const showsAll = watchRequests(page)
  const hands = handsOn(page, say)
  const isOpen = (selector: string) => page.locator(selector).count()
  let place = ''
  for (const { at, state, steps } of stops) {
    const isThere = at === place && !at.includes('do=')
    const hadOpen = at !== '' && (await isOpen(above)) > 0
    if (hadOpen) await page.keyboard.press('Escape')
    const hasClosed = hadOpen && (await closes(page.locator(above)))
    if (hadOpen && !hasClosed && (await isOpen('#is-saved')) > 0) {
      await page.locator('#is-saved').check()
      await page.locator('dialog[open] .button.primary').click()
    }
    if (at !== '' && !(isThere && hasClosed)) {
      leave?.()
      if ((await isOpen('.shell')) === 0) await page.goto(`${url}/dashboard${at}`)
      else await page.evaluate(`(${navigate})(${JSON.stringify(`/dashboard${at}`)})`)
      await page.locator('h1').first().waitFor()
    }
    if (at !== '') place = at
    await showsAll()
    await steps?.(hands)
    await showsAll()
    await arrive([at, state].filter(Boolean).join(', '))
  }
}

const above = 'dialog[open], [role=menu]'
/** A dialog with a secret stays open at Escape, and on the next page, until the secret is saved. */
const closes = (dialog: Locator) =>
  dialog
    .first()
    .waitFor({ state: 'detached', timeout: 1_000 })
    .then(
      () => true,
      () => false,
    )

/**
 * Runs in the page. Navigates to a page that does not exist first, so that the target page starts again even if it is
 * already open.
 */
const navigate = `async to => {
  const go = path => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }
  go('/dashboard/nowhere/at/all')
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  go(to)
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
}`

/** Shows the page with another window size and other user preferences. */
export async function showIn(
  page: Page,
  {
    viewport,
    ...media
  }: { viewport: { width: number; height: number } } & Parameters<Page['emulateMedia']>[0],
): Promise<void> {
  await page.emulateMedia(media)
  await page.setViewportSize(viewport)
  // Scroll to the end of the page, where no bar at the bottom of the window covers a row.
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
}
