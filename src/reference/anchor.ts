import { type Html, html } from './html.ts'

/** A link to its own heading. Following it shows the address; page.js copies the address. */
export const anchor = (id: string): Html =>
  html` <a class="anchor" href="#${id}" aria-label="Link to this">#</a>`
