import { loadReference, openReference } from '../../src/reference/reference.ts'
import { readContract } from '../../src/rest/contract.ts'

// Measures the CPU time, in microseconds, that a new process needs to build the contract and the pages of the
// reference: first for one host, then for three more hosts. Prints the times as JSON.
const hosts = Array.from({ length: 3 }, (_, n) => `shop-${n}.example`)
const paths = ['', 'animals', 'orders', 'guides/quickstart', 'versioning']

const addressesOf = (host: string) => ({
  publicUrl: `https://${host}`,
  stagingUrl: 'https://staging.example',
})
const firstContract = await cpuOf(() => readContract(addressesOf('first.example')))
const otherContracts = await cpuOf(() => {
  for (const host of hosts) readContract(addressesOf(host))
})

const loading = await cpuOf(loadReference)
const firstPages = await cpuOf(() => findAll('first.example'))
const otherPages = await cpuOf(async () => {
  for (const host of hosts) await findAll(host)
})
console.log(JSON.stringify({ firstContract, otherContracts, loading, firstPages, otherPages }))

async function findAll(host: string): Promise<void> {
  const { find } = await openFor(host)
  for (const path of paths) if (!find(path)) throw new Error(`There is no page ${path}.`)
}

function openFor(host: string) {
  return openReference({
    title: `The store at ${host}`,
    description: null,
    baseUrl: `https://${host}/v1`,
    home: '/',
    showsGraphql: true,
  })
}

async function cpuOf(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
