import type { DnsProof } from '../core/hosts/dns-verdict.ts'
import { ownershipName } from '../core/hosts/names.ts'
import type { Lookup } from './dns.ts'
import type { DnsRecord } from './dns-question.ts'

const aliasesFollowed = 8
const tokenForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the ownership tokens in a name's TXT records: those that all name servers return, and those of only some. */
export async function readTokens(
  lookup: Lookup,
  name: string,
): Promise<Pick<DnsProof, 'tokens' | 'partialTokens'>> {
  const owner = ownershipName(name)
  const sets = await readSets(lookup, owner, new Set([owner]))
  if (!sets) return { tokens: null, partialTokens: [] }
  const all = [...new Set(sets.flat())]
  const isEverywhere = (token: string) => sets.every(set => set.includes(token))
  return { tokens: all.filter(isEverywhere), partialTokens: all.filter(token => !isEverywhere(token)) }
}

/**
 * Returns each name server's TXT records, following CNAMEs; null if no server answers. `read` has the names that were
 * read already: each server may return another CNAME, and each name is asked at all servers of its zone.
 */
async function readSets(lookup: Lookup, owner: string, read: Set<string>): Promise<string[][] | null> {
  const answer = await lookup.askZone(owner, ['TXT'])
  if (!answer.reached) return null
  const sets: string[][] = []
  for (const { records } of answer.answers) {
    const own = records.filter(record => record.name === owner)
    const alias = own.find(record => record.type === 'CNAME')
    if (!alias) sets.push(own.filter(record => record.type === 'TXT').map(readText))
    else if (read.size <= aliasesFollowed && !read.has(alias.value)) {
      const behind = await readSets(lookup, alias.value, read.add(alias.value))
      if (!behind) return null
      // The alias may lead to internal names of the operator's resolvers, whose texts must not show in a verdict.
      sets.push(...behind.map(set => set.filter(text => tokenForm.test(text))))
    }
  }
  return sets
}

const readText = ({ value }: DnsRecord) =>
  value
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .toLowerCase()
