import { expect, test } from 'vitest'
import { providerOf } from '../../src/hosting/dns-providers.ts'

test.each([
  ['amy.ns.cloudflare.com', 'Cloudflare', 'dash.cloudflare.com'],
  ['ns01.domaincontrol.com', 'GoDaddy', 'dcc.godaddy.com'],
  ['dns1.registrar-servers.com', 'Namecheap', 'ap.www.namecheap.com'],
  ['ns-1.awsdns-00.com', 'Amazon Route 53', 'console.aws.amazon.com'],
  ['ns-600.awsdns-11.net', 'Amazon Route 53', 'console.aws.amazon.com'],
  ['ns-1400.awsdns-47.org', 'Amazon Route 53', 'console.aws.amazon.com'],
  ['ns-2000.awsdns-58.co.uk', 'Amazon Route 53', 'console.aws.amazon.com'],
  ['ns-cloud-a1.googledomains.com', 'Google Cloud DNS', 'console.cloud.google.com'],
  ['ns1-01.azure-dns.com', 'Azure DNS', 'portal.azure.com'],
  ['ns2-01.azure-dns.net', 'Azure DNS', 'portal.azure.com'],
  ['ns3-01.azure-dns.org', 'Azure DNS', 'portal.azure.com'],
  ['ns4-01.azure-dns.info', 'Azure DNS', 'portal.azure.com'],
  ['ns1.digitalocean.com', 'DigitalOcean', 'cloud.digitalocean.com'],
  ['ns0.transip.net', 'TransIP', 'www.transip.nl'],
  ['ns1.transip.nl', 'TransIP', 'www.transip.nl'],
  ['ns2.transip.eu', 'TransIP', 'www.transip.nl'],
  ['dns10.ovh.net', 'OVHcloud', 'www.ovh.com'],
  ['dns10.ovh.ca', 'OVHcloud', 'www.ovh.com'],
  ['dns10.ovh.us', 'OVHcloud', 'www.ovh.com'],
  ['dns200.anycast.me', 'OVHcloud', 'www.ovh.com'],
  ['ns-1-a.gandi.net', 'Gandi', 'admin.gandi.net'],
  ['helium.ns.hetzner.de', 'Hetzner', 'dns.hetzner.com'],
  ['hydrogen.ns.hetzner.com', 'Hetzner', 'dns.hetzner.com'],
  ['ns1.first-ns.de', 'Hetzner', 'dns.hetzner.com'],
  ['ns1045.ui-dns.com', 'IONOS', 'my.ionos.com'],
  ['ns1045.ui-dns.de', 'IONOS', 'my.ionos.com'],
  ['ns1045.ui-dns.org', 'IONOS', 'my.ionos.com'],
  ['ns1045.ui-dns.biz', 'IONOS', 'my.ionos.com'],
  ['docks01.rzone.de', 'STRATO', 'www.strato.de'],
  ['ns1.strato.de', 'STRATO', 'www.strato.de'],
  ['ns1.dnsimple.com', 'DNSimple', 'dnsimple.com'],
  ['ns2.dnsimple-edge.net', 'DNSimple', 'dnsimple.com'],
  ['ns3.dnsimple.org', 'DNSimple', 'dnsimple.com'],
  ['ns4.dnsimple-edge.io', 'DNSimple', 'dnsimple.com'],
  ['curitiba.ns.porkbun.com', 'Porkbun', 'porkbun.com'],
  ['ns2.wixdns.net', 'Wix', 'manage.wix.com'],
  ['ns01.squarespacedns.com', 'Squarespace', 'account.squarespace.com'],
  ['ns1.vercel-dns.com', 'Vercel', 'vercel.com'],
  ['dns1.p01.nsone.net', 'NS1', 'my.nsone.net'],
  ['ns1bdg.name.com', 'Name.com', 'www.name.com'],
])(
  'the name server %s is recognised as a server of the provider %s, and the HTTPS link of this provider is returned',
  (server, name, host) => {
    for (const servers of [[server], ['ns1.shop.test', server]]) {
      const provider = providerOf(servers)
      expect(provider?.name).toBe(name)
      expect(new URL(provider?.url ?? '')).toMatchObject({ protocol: 'https:', host })
    }
    // Names that only begin or end like a provider's belong to somebody else.
    const owned = /\.(?=(ns\.cloudflare|anycast|[\w-]+)\.(co\.uk|\w+)$)/
    expect(providerOf([`${server}.shop.test`])).toBeNull()
    expect(providerOf([server.replace(owned, '-not-')])).toBeNull()
  },
)

test.each([
  ['no name server', []],
  ['a name server of its own', ['ns1.shop.test']],
  ['similar name servers', ['ns.cloudflare.com.shop.test', 'ns1.notcloudflare.com', 'first-ns.de.test']],
])('a zone with %s has no known provider', (_, servers) => {
  expect(providerOf(servers)).toBeNull()
})
