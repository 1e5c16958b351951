import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { findFaults, overflow } from '../support/browser.ts'
import { describeInBrowser } from '../support/dashboard.ts'
import type { TestProject } from '../support/start-app.ts'

const csv = (pets: number) =>
  ['name,categoryId,status', ...Array.from({ length: pets }, (_, i) => `Pet ${i + 1},7,available`)].join(
    '\r\n',
  )
const file = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
})
const choose = (page: Page, name: string, text: string | Buffer) =>
  page.getByLabel(/^Choose (a|another) file/).setInputFiles(file(name, text))

describeInBrowser('importing pets in the dashboard', {}, opened => {
  const counted = async (owner: TestProject) =>
    opened.app.tools.db.pet.count({ where: { projectId: owner.project.id } })
  const openDialog = async (owner: TestProject, options = {}) => {
    const page = await opened.open('/dashboard/pets', owner.secret, options)
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('dialog', { name: 'Import pets' }).waitFor()
    return page
  }

  it('an import shows the rows and price of a CSV file, adds the pets and shows the newest', async () => {
    for (const look of [
      { colorScheme: 'light', viewport: { width: 1280, height: 860 } },
      { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
    ] as const) {
      const owner = await opened.app.makeProject()
      const page = await openDialog(owner, look)
      expect(await findFaults(page)).toEqual([])
      await choose(
        page,
        'pets.csv',
        `\n${csv(249)}\r\n"Bis""cuit, the \u{1f436}",9223372036854775807,\r\n\r\n`,
      )
      await page.getByText('CSV, 5 KB, 250 pets. Uses 3 requests.').waitFor()
      expect(await page.getByRole('dialog').getByRole('row').count()).toBe(6)
      expect(await findFaults(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
      await page.getByRole('button', { name: 'Import 250 pets' }).click()

      await page.getByText('250 pets imported.').waitFor()
      const first = page.getByRole('region', { name: 'Pets' }).getByRole('row').nth(1)
      await expect.poll(() => first.textContent()).toContain('Bis"cuit,')
      expect(await first.getAttribute('data-marked')).toBe('true')
      expect(await page.getByLabel('Sort by').inputValue()).toBe('newest_first')
      expect(await counted(owner)).toBe(250)
      await page.context().close()
    }
  })

  it('an NDJSON file dropped on the page is imported', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/pets?sort=newest_first', owner.secret)
    await page.getByText('The store is empty').waitFor()
    const text =
      '{"name":"Nimbus","categoryId":9223372036854775807}\n\n{"name":"Waffles","categoryId":7,"status":"sold"}\n'
    await drop(page, text)
    await page.getByText('2 pets. Uses 1 request.').waitFor()
    await page.getByRole('cell', { name: '9223372036854775807' }).waitFor()
    const [request] = await Promise.all([
      page.waitForRequest('**/v1/pets/import'),
      page.getByRole('button', { name: 'Import 2 pets' }).click(),
    ])

    await page.getByText('2 pets imported.').waitFor()
    expect(await request.headerValue('content-encoding')).toBe('gzip')
    await page.getByRole('rowheader', { name: 'Waffles' }).waitFor()
    expect(await counted(owner)).toBe(2)
    await page.context().close()
  })

  it('the overview counts the pets that were imported since it was open before', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/', owner.secret)
    await page.getByRole('heading', { name: '0 pets' }).waitFor()
    await page.getByRole('link', { name: 'Pets', exact: true }).click()
    await page.getByRole('button', { name: 'Import' }).click()
    await choose(page, 'pets.csv', csv(3))
    await page.getByRole('button', { name: 'Import 3 pets' }).click()
    await page.getByText('3 pets imported.').waitFor()

    await page.getByRole('link', { name: 'Overview' }).click()

    await page.getByRole('heading', { name: '3 pets' }).waitFor()
    await page.context().close()
  })

  it('an import with faulty lines lists each fault by line and field, with advice, and adds no pet', async () => {
    const owner = await opened.app.makeProject()
    const page = await openDialog(owner)
    const shown = () =>
      page.getByRole('region', { name: 'Errors, line by line' }).getByRole('row').allTextContents()
    const put = async (name: string, text: string | Buffer) => {
      await choose(page, name, text)
      await page.getByRole('button', { name: /^Import \d/ }).click()
      await page.getByText('No pet is imported').waitFor()
      return (await shown()).slice(1)
    }
    const head = 'name,categoryId,status\n'
    expect(await put('a.csv', `${head},7,\nA,x,gone\n"A,\n\nB",7\nA"B,7,\n"A"B,7,\n"A,7,\n`)).toEqual([
      '2NameEnter a name of at most 255 characters.',
      '3CategoryEnter the number of a category, such as 7.',
      '3StatusUse available, pending or sold, or leave it empty.',
      '4Whole lineThis line has 2 fields; it must have 3, like the first line.',
      '7Whole linePut the whole field in quotes, and write each quote inside twice.',
      '8Whole linePut a comma right behind the closing quote.',
      '9Whole lineClose the quote that begins here.',
    ])
    expect(await findFaults(page)).toEqual([])
    expect(await put('a.ndjson', Buffer.from('{"name":"\xff"}\nBiscuit\n', 'latin1'))).toEqual([
      '1Whole lineSave the file as UTF-8.',
      '2Whole lineWrite one pet as JSON, such as {"name":"Biscuit","categoryId":7}.',
    ])
    expect(
      await put('b.ndjson', `{"name":"a\\u0000","categoryId":7}\n{"name":"${'x'.repeat(70_000)}"}`),
    ).toEqual(['1NameRemove unreadable characters and line breaks.', '2Whole lineShorten it to 64 KiB.'])
    expect(await put('c.csv', 'name,statsu,name\nA,,\n')).toEqual([
      '1nameOnly one column may have this name.',
      '1categoryIdThe first line must contain a column with this name.',
      '1statusSpell the column in the first line exactly like this.',
    ])
    expect((await put('d.csv', head + ',7,\n'.repeat(150))).length).toBe(100)
    await page.getByText('More than 100 lines have to be corrected in d.csv.').waitFor()
    expect(await counted(owner)).toBe(0)
    await page.context().close()
  })

  it('the preview of a file shows the names as the store reads them, and the beginning of a line that holds no pet', async () => {
    const page = await openDialog(await opened.app.makeProject())
    const names = page.getByRole('dialog').getByRole('rowheader')
    await choose(page, 'safe.csv', "name,categoryId,safe\n'=A,7,1\n'B,7,1\n'=C,7,\n")
    await expect.poll(() => names.allTextContents()).toEqual(['=A', "'B", "'=C"])
    await choose(page, 'quote.csv', 'name,categoryId\n\n"A,7\n')
    await expect.poll(() => names.allTextContents()).toEqual(['"A,7'])
    await page.getByText('The pets of the file').waitFor()
    await page.context().close()
  })

  it('of two chosen files, the preview shows the later one, even if the earlier one is read last', async () => {
    const page = await openDialog(await opened.app.makeProject())
    await page.evaluate(`(() => {
      const read = Blob.prototype.arrayBuffer
      const isRead = new Promise(resolve => (window.readFirst = resolve))
      Blob.prototype.arrayBuffer = async function () {
        Blob.prototype.arrayBuffer = read
        const bytes = await read.call(this)
        await isRead
        return bytes
      }
    })()`)
    await choose(page, 'first.csv', csv(3))
    await page.getByText('Reading the file…').first().waitFor()
    await choose(page, 'second.csv', csv(2))
    await page.getByRole('button', { name: 'Import 2 pets' }).waitFor()

    await page.evaluate('readFirst()')
    // The first file is read completely before the next file is: both reads use the same queue of the browser.
    await page.evaluate('new Promise(resolve => setTimeout(resolve, 500))')

    expect(await page.getByText('Reading the file…').count()).toBe(0)
    await page.getByText('second.csv').waitFor()
    await page.getByRole('button', { name: 'Import 2 pets' }).waitFor()
    await page.context().close()
  })

  it('a file that is too large or holds no pets is refused before it is sent', async () => {
    const owner = await opened.app.makeProject()
    const page = await openDialog(owner)
    for (const [name, text, said] of [
      ['many.csv', `name,categoryId\n${'A,7\n'.repeat(1_000_001)}`, 'It has more than 1,000,000 pets'],
      ['not-too-large.csv', 'x'.repeat(10_000_000), 'It holds no pets.'],
      ['none.csv', 'name,categoryId\n', 'It holds no pets.'],
      ['list.json', '[{"name":"A"}]', 'It is one JSON list.'],
      ['pets.xlsx', 'PK\0\0', 'This isn’t a text file.'],
      ['semicolons.csv', 'name;categoryId\nA;7\n', 'Its columns are separated by semicolons or tabs.'],
      ['returns.csv', 'name,categoryId\rA,7\r', 'Its lines end with carriage returns only.'],
      ['tabs.tsv', 'name\tcategoryId\nA\t7\n', 'Its columns are separated by semicolons or tabs.'],
    ] as const) {
      await choose(page, name, text)
      await page.getByText(said).waitFor({ timeout: 60_000 })
      expect(await page.getByText('npx animal-store pets import').count()).toBe(said.includes('than') ? 1 : 0)
      expect(
        await page.getByRole('button', { name: 'Import', exact: true }).last().getAttribute('aria-disabled'),
      ).toBe('true')
    }
    for (const [name, text, said] of [
      ['nameless', 'name,categoryId\nA,7\n', 'CSV, '],
      ['nameless.txt', '{"name":"A","categoryId":7}\n', 'NDJSON, '],
      ['lines.JSONL', 'A', 'NDJSON, '],
    ] as const) {
      await choose(page, name, text)
      await page.getByText(name, { exact: true }).waitFor()
      expect(await page.getByRole('region', { name: 'The file' }).textContent()).toContain(said)
    }
    await dropParts(page, '[new Uint8Array(100_000_001)]')
    await page.getByText('It is larger than 100 MB').waitFor()
    await choose(page, 'most.csv', csv(10_000))
    await page.getByText('10,000 pets. Uses').waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.context().close()
  })

  /** Answers the import's request number `which` by `answer`. The store answers the other requests. */
  const intercept = async (page: Page, which: number, answer: (route: Route) => unknown) => {
    let requests = 0
    await page.route('**/v1/pets/import', route => (++requests === which ? answer(route) : route.continue()))
  }

  it('a large file is imported in parts, shows its progress, and waits for the rate limit', async () => {
    const owner = await opened.app.makeProject()
    const page = await openDialog(owner)
    const refusal = { code: 'rate_limited', message: 'Too many.', status: 429 }
    await intercept(page, 2, route =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '3' }, json: refusal }),
    )
    await choose(page, 'large.csv', csv(12_500))
    await page.getByText('12,500 pets. Uses 125 requests.').waitFor()
    await page.getByRole('button', { name: 'Import 12,500 pets' }).click()

    await page.getByText(/^10,000 of 12,500 pets/).waitFor()
    await page.getByText(/^Your requests are used up for now. Goes on in \d s\.$/).waitFor()
    expect(await findFaults(page)).toEqual([])
    await page.getByText('12,500 pets imported.').waitFor()
    expect(await counted(owner)).toBe(12_500)
    await page.context().close()
  })

  it('after a stop or a faulty line, a repeated import of the same or the corrected file adds only the missing pets', async () => {
    const owner = await opened.app.makeProject()
    const page = await openDialog(owner)
    await intercept(page, 2, () => {})
    const faulty = csv(20_500).replace('Pet 20400,7', 'Pet 20400,x')
    await choose(page, 'large.csv', faulty)
    await page.getByRole('button', { name: 'Import 20,500 pets' }).click()
    await page.getByText(/^10,000 of 20,500 pets/).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped', { exact: true }).waitFor()
    await page.getByText('10,000 pets imported.').waitFor()
    expect(await findFaults(page)).toEqual([])

    await choose(page, 'pets.xlsx', 'PK\0\0')
    await page.getByText('This file cannot be imported').waitFor()
    await choose(page, 'again.csv', faulty)
    await page.getByText('20,500 pets, 10,000 of them imported. Uses 105 requests.').waitFor()
    await page.getByRole('button', { name: 'Import the other 10,500 pets' }).click()
    await page.getByText('20,000 pets imported, the others not').waitFor()
    const lines = page.getByRole('region', { name: 'Errors, line by line' }).getByRole('rowheader')
    expect(await lines.allTextContents()).toEqual(['20,401'])
    expect(await counted(owner)).toBe(20_000)

    await choose(page, 'mended.csv', csv(20_500))
    await page.getByRole('button', { name: 'Import the other 500 pets' }).click()
    await page.getByText('20,500 pets imported.').waitFor()
    expect(await counted(owner)).toBe(20_500)
    await page.context().close()
  })

  it('an import repeated after a lost answer adds its pets once, and an import beyond the rate limit waits', async () => {
    const owner = await opened.app.makeProject({ plan: 'enterprise', perMinute: 12, perDay: 1_000 })
    const page = await openDialog(owner)
    await page.evaluate(`{
      const send = fetch
      window.fetch = async (...question) => {
        const answer = await send(...question)
        if (!String(question[0]).includes('import')) return answer
        window.fetch = send
        throw new TypeError('lost')
      }
    }`)
    await choose(page, 'pets.csv', csv(3))
    await page.getByRole('button', { name: 'Import 3 pets' }).click()
    await page.getByText('No answer').waitFor()
    expect(await findFaults(page)).toEqual([])
    expect(await counted(owner)).toBe(3)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('3 pets imported.').waitFor()
    expect(await counted(owner)).toBe(3)

    await page.getByRole('button', { name: 'Import' }).click()
    await choose(page, 'pets.csv', csv(1_250))
    await page.getByRole('button', { name: 'Import 1,250 pets' }).click()
    await page.getByText('Too many requests').waitFor()
    await page.getByText(/^Try again in \d+ s\.$/).waitFor()
    await page.getByText('1,250 pets. Uses 12 requests.').waitFor()
    expect(await findFaults(page)).toEqual([])
    expect(await counted(owner)).toBe(3)
    await page.context().close()
  })

  it('an import can be made with the keyboard alone, and needs a key with the write scope', async () => {
    const owner = await opened.app.makeProject()
    const page = await opened.open('/dashboard/pets', owner.secret)
    await page.getByRole('button', { name: 'Import' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Import pets' }).waitFor()
    const focused = () =>
      page.evaluate<string>('document.activeElement.type ?? document.activeElement.tagName')
    if ((await focused()) !== 'file') await page.keyboard.press('Tab')
    const chooser = page.waitForEvent('filechooser')
    // The check of the focus also gives the browser time to prepare its file chooser. If the test pressed a key right
    // after `waitForEvent`, the key would be lost.
    expect(await focused()).toBe('file')
    await page.keyboard.press('Space')
    await (await chooser).setFiles(file('pets.csv', csv(2)))
    const act = page.getByRole('button', { name: 'Import 2 pets' })
    await act.waitFor()
    for (let i = 0; i < 3 && (await focused()) !== 'submit'; i++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('2 pets imported.').waitFor()
    expect(await counted(owner)).toBe(2)
    await page.context().close()

    const { secret } = await owner.issueKey(['pets:read', 'project:read'])
    const reader = await opened.open('/dashboard/pets', secret)
    const button = reader.getByRole('button', { name: /^Import.*needs the scope pets:write/ })
    await button.waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await reader.context().close()
  })
})

const drop = (page: Page, text: string) => dropParts(page, JSON.stringify([text]))

/** Drops a file on the page. `parts` are the parts of the file, as JavaScript that runs in the page. */
const dropParts = (page: Page, parts: string) =>
  page.evaluate(`{
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(${parts}, 'pets'))
    for (const name of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }))
  }`)
