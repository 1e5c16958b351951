/** The texts and addresses of one host. The service and each project's host show the same pages. */
export type Site = {
  title: string
  description: string | null
  /** The base URL of REST, including /v1. */
  baseUrl: string
  /** False if anonymous readers must not see the schema. */
  showsGraphql: boolean
}

/** Placeholder for a host's address in the texts that all hosts share. No text of the reference contains it. */
const blank = 'https://host.invalid'

/**
 * Makes something once for all hosts, whose pages differ only in title, description and address. Rendering all pages
 * takes 15 ms of CPU, and anonymous clients may open pages of any number of hosts.
 */
export function onceForHosts<Made>(make: (site: Site) => Made): (site: Pick<Site, 'showsGraphql'>) => Made {
  const made = new Map<boolean, Made>()
  return ({ showsGraphql }) => {
    const known =
      made.get(showsGraphql) ?? make({ title: '', description: null, baseUrl: `${blank}/v1`, showsGraphql })
    made.set(showsGraphql, known)
    return known
  }
}

/** Writes a host's address into a text that all hosts share. */
export const fillAddress = (text: string, address: string): string => text.replaceAll(blank, () => address)

/** The host's address: the base URL of REST without /v1. */
export const addressOf = ({ baseUrl }: Pick<Site, 'baseUrl'>): string => baseUrl.replace(/\/v1$/, '')
