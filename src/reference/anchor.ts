import { type Html, html } from './html.ts'

/**
 * Makes a link from a heading to itself. A click on the link puts the heading's URL into the address bar, and
 * samples.js copies the URL to the clipboard.
 */
export const anchor = (id: string): Html =>
  html` <a class="anchor" href="#${id}" aria-label="Link to this">#</a>`
