import { type Html, html } from './html.ts'

/** Makes a link from a heading to itself. Following it shows the URL; page.js copies it. */
export const anchor = (id: string): Html =>
  html` <a class="anchor" href="#${id}" aria-label="Link to this">#</a>`
