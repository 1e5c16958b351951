import { type Html, html } from './html.ts'
import type { Sample } from './samples.ts'

/**
 * Shows one sample at a time, at first the sample for curl. If scripts run, samples.js switches the language of all
 * samples on the page.
 */
export function showSamples(samples: Sample[]): Html {
  return html`<div class="samples"><div class="row" role="group" aria-label="Language">${samples.map(
    ({ language }, at) =>
      html`<button class="choice" type="button" data-language="${language}" aria-pressed="${at === 0 ? 'true' : 'false'}">${language}</button>`,
  )}<button class="choice copy" type="button">Copy</button></div>
    ${samples.map(
      ({ language, code }, at) =>
        html`<pre tabindex="0" aria-label="${language}" data-language="${language}"${at > 0 && hidden}><code>${code}</code></pre>`,
    )}</div>`
}

const hidden: Html = { html: ' hidden' }
