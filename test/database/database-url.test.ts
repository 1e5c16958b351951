import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAddresses } from '../../src/database/addresses.ts'
import { clientsOf } from '../../src/database/clients.ts'
import { StartRefused } from '../../src/tools/start-refused.ts'

describe('DATABASE_URL', () => {
  it.each([
    ['postgresql://u:p@db/x', ['postgresql://u:p@db/x'], false],
    ['postgres://db:6432/x?sslmode=verify-full', ['postgres://db:6432/x?sslmode=verify-full'], false],
    ['postgresql://u@a,b:5433/x', ['postgresql://u@a/x', 'postgresql://u@b:5433/x'], true],
    ['postgresql://[::1]:5432,b/x', ['postgresql://[::1]:5432/x', 'postgresql://b/x'], true],
    ['postgresql://a/x?target_session_attrs=read-write&schema=public', ['postgresql://a/x'], true],
    [
      'postgresql://u@/x?host=a,b&port=1,2',
      ['postgresql://u@/x?host=a&port=1', 'postgresql://u@/x?host=b&port=2'],
      true,
    ],
    [
      'postgresql://u@/x?host=a,b&port=5433',
      ['postgresql://u@/x?host=a&port=5433', 'postgresql://u@/x?host=b&port=5433'],
      true,
    ],
    ['postgresql:///x?host=/run/postgresql', ['postgresql:///x?host=%2Frun%2Fpostgresql'], false],
    ['postgresql://db/x?port=6432', ['postgresql://db/x?port=6432'], false],
    ['postgresql://a,b/x?port=1,2', ['postgresql://a/x?port=1', 'postgresql://b/x?port=2'], true],
    ['postgresql://a/x?target_session_attrs=primary', ['postgresql://a/x'], true],
    ['postgresql://a/x?target_session_attrs=any', ['postgresql://a/x'], false],
    ['postgresql://a', ['postgresql://a/'], false],
    ['POSTGRES://u:p@ss@A/x', ['POSTGRES://u:p@ss@A/x'], false],
    [
      'postgresql://u:p@a,b:1/x?sslmode=require&connect_timeout=3',
      [
        'postgresql://u:p@a/x?sslmode=require&connect_timeout=3',
        'postgresql://u:p@b:1/x?sslmode=require&connect_timeout=3',
      ],
      true,
    ],
  ])('DATABASE_URL=%s is parsed', (url, urls, needsPrimary) => {
    expect(readAddresses(url)).toEqual({ urls, needsPrimary, options: null })
  })

  it.each([
    ['mysql://db/x', null],
    ['postgresql://a:b:c/x', null],
    ['postgresql://a,b:c:d/x', null],
    ['postgresql://a:543210/x', null],
    ['postgresql://a:65536/x', null],
    ['postgresql://a,b:0/x', null],
    ['postgresql:///x?host=a&port=65536', null],
    ['postgresql://a/x?port=b', null],
    ['postgresql://[::1/x', null],
    ['postgresql://a/x?schema=shop', expect.stringContaining('schema=shop')],
    ['postgresql://a/x?target_session_attrs=standby', expect.stringContaining('read-write is allowed')],
  ])('DATABASE_URL=%s is refused', (url, refusal) => {
    expect(readAddresses(url)).toEqual(refusal)
  })

  it('the options in DATABASE_URL are kept in addition to the options that the service sets', () => {
    const url = 'postgresql://a,b/x?options=-c%20work_mem%3D5MB&sslmode=require'

    expect(readAddresses(url)).toEqual({
      urls: ['postgresql://a/x?sslmode=require', 'postgresql://b/x?sslmode=require'],
      needsPrimary: true,
      options: '-c work_mem=5MB',
    })
  })

  it.each([
    ['mysql://db/x', 'The address of the database cannot be read.'],
    ['postgresql://a<b/x', 'The database address cannot be read: Invalid URL.'],
    ['postgresql://a/x?schema=shop', /^The address of the database says schema=shop, but the tables are in/],
    [
      'postgresql://a,b/x?sslrootcert=/absent.pem',
      /^The database address names a file that cannot be read: /,
    ],
  ])('DATABASE_URL=%s is refused at the start with a sentence', (url, sentence) => {
    expect(() => clientsOf(url)).toThrow(sentence)
    expect(() => clientsOf(url)).toThrow(StartRefused)
  })
})

/** Starts hosts that refuse every connection and record which host was tried. */
async function startRefusing(count: number) {
  const tried: number[] = []
  const ports: number[] = []
  for (let index = 0; index < count; index++) {
    const server = createServer(socket => {
      tried.push(index)
      socket.destroy()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    ports.push((server.address() as AddressInfo).port)
  }
  const Client = clientsOf(`postgresql://u@${ports.map(port => `127.0.0.1:${port}`)}/x`)
  const connect = (client = new Client()) => client.connect().catch(() => {})
  return { tried, connect, client: () => new Client() }
}

describe('a DATABASE_URL with several hosts', () => {
  it('the hosts of DATABASE_URL are tried in turn, and the first one again after the last', async () => {
    const { tried, connect } = await startRefusing(3)

    for (let time = 0; time < 5; time++) await connect()

    expect(tried).toEqual([0, 1, 2, 0, 1])
  })

  it('a late failure of an earlier host does not change which host is tried next', async () => {
    const { tried, connect, client } = await startRefusing(3)
    const late = client()

    await connect()
    await connect()
    await connect(late)
    await connect()

    expect(tried).toEqual([0, 1, 0, 2])
  })

  it('a connection is closed if the host does not say in time whether it takes writes', async () => {
    // AuthenticationOk and ReadyForQuery
    const welcome = Buffer.from('520000000800000000' + '5a0000000549', 'hex')
    const sockets: Socket[] = []
    const server = createServer(socket => {
      sockets.push(socket.on('error', () => {}))
      socket.once('data', () => socket.write(welcome)).resume()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const Client = clientsOf(`postgresql://u@127.0.0.1:${port}/x?target_session_attrs=read-write`)

    await expect(new Client({ query_timeout: 50 }).connect()).rejects.toThrow('Query read timeout')

    await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true])
  })
})
