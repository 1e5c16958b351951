import { type Html, html } from './html.ts'

/** A link to where it stands, after a heading: followed it shows the address, and page.js copies it. */
export const anchor = (id: string): Html =>
  html` <a class="anchor" href="#${id}" aria-label="Link to this">#</a>`
