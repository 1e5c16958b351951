/**
 * Browsers in the order in which their names must be searched, because most browsers also send the names of other
 * browsers.
 */
const browsers: [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]
const systems: [name: string, mark: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** Returns browser and system in our own words. The header itself is not stored, because it can identify a person. */
export function deviceOf(userAgent = ''): string {
  const found = (known: [string, RegExp][]) => known.find(([, mark]) => mark.test(userAgent))?.[0]
  return `${found(browsers) ?? 'A browser'} on ${found(systems) ?? 'an unknown system'}`
}
