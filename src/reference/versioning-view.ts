import type { Contract, Located } from './contract.ts'
import { type Html, html } from './html.ts'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

export function showVersioning({ info }: Contract, operations: Located[], baseUrl: string): Html {
  const deprecated = operations.filter(operation => operation.deprecated)
  return html`<p>The interface version is ${info.version}. The version is part of the address: <code>${baseUrl}</code>.</p>
    <ul>
      <li>Within a version things are only added. Ignore members of an answer that you do not know.</li>
      <li>A change that would break a client gets a new segment in the address, and the old one stays for a time that is announced.</li>
      <li>A deprecated operation sends <code>Deprecation</code>, <code>Sunset</code> and <code>Link</code> in every answer. After its removal date it answers 410 with the code <code>gone</code>.</li>
      <li><span class="badge wait">beta</span> may change with notice, <span class="badge wait">experimental</span> without.</li>
    </ul>
    <div class="table-frame" role="region" tabindex="0" aria-label="Deprecations"><table>
      <thead><tr><th scope="col">Deprecated</th><th scope="col">Removed on</th><th scope="col">Use instead</th></tr></thead>
      <tbody>${deprecated.map(
        ({
          operationId,
          method,
          path,
          'x-removal-date': removal,
        }) => html`<tr><th scope="row"><a href="#${operationId}">${method} ${path}</a></th>
        <td>${removal ? day.format(new Date(removal)) : 'not set'}</td><td><a href="#listPets">GET /pets</a> with the <code>status</code> filter</td></tr>`,
      )}</tbody></table></div>`
}
