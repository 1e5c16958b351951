import type { DnsProvider } from '../core/hosts/dns-verdict.ts'

/**
 * For each provider: a pattern of the names of its name servers, the provider's name, and the page where its customers
 * edit records.
 */
const providers: readonly (readonly [RegExp, string, string])[] = [
  [/\.ns\.cloudflare\.com$/, 'Cloudflare', 'https://dash.cloudflare.com/?to=/:account/:zone/dns/records'],
  [/\.domaincontrol\.com$/, 'GoDaddy', 'https://dcc.godaddy.com/control/portfolio'],
  [/\.registrar-servers\.com$/, 'Namecheap', 'https://ap.www.namecheap.com/domains/list/'],
  [
    /\.awsdns-\d+\.(com|net|org|co\.uk)$/,
    'Amazon Route 53',
    'https://console.aws.amazon.com/route53/v2/hostedzones',
  ],
  [/\.googledomains\.com$/, 'Google Cloud DNS', 'https://console.cloud.google.com/net-services/dns/zones'],
  [/\.azure-dns\.(com|net|org|info)$/, 'Azure DNS', 'https://portal.azure.com/'],
  [/\.digitalocean\.com$/, 'DigitalOcean', 'https://cloud.digitalocean.com/networking/domains'],
  [/\.transip\.(net|nl|eu)$/, 'TransIP', 'https://www.transip.nl/cp/domein/'],
  [/\.ovh\.(net|ca|us)$|\.anycast\.me$/, 'OVHcloud', 'https://www.ovh.com/manager/'],
  [/\.gandi\.net$/, 'Gandi', 'https://admin.gandi.net/domain'],
  [/\.hetzner\.(com|de)$|\.first-ns\.de$/, 'Hetzner', 'https://dns.hetzner.com/'],
  [/\.ui-dns\.(com|de|org|biz)$/, 'IONOS', 'https://my.ionos.com/domains'],
  [/\.strato\.de$|\.rzone\.de$/, 'STRATO', 'https://www.strato.de/apps/CustomerService'],
  [/\.dnsimple(-edge)?\.(com|net|org|io)$/, 'DNSimple', 'https://dnsimple.com/dashboard'],
  [/\.porkbun\.com$/, 'Porkbun', 'https://porkbun.com/account/domainsSpeedy'],
  [/\.wixdns\.net$/, 'Wix', 'https://manage.wix.com/account/domains'],
  [/\.squarespacedns\.com$/, 'Squarespace', 'https://account.squarespace.com/domains'],
  [/\.vercel-dns\.com$/, 'Vercel', 'https://vercel.com/dashboard/domains'],
  [/\.nsone\.net$/, 'NS1', 'https://my.nsone.net/'],
  [/\.name\.com$/, 'Name.com', 'https://www.name.com/account/domain'],
]

/** Returns the provider of a zone by its name servers' names; null if unknown. */
export function providerOf(nameServers: readonly string[]): DnsProvider | null {
  for (const [ending, name, url] of providers) {
    if (nameServers.some(host => ending.test(host))) return { name, url }
  }
  return null
}
