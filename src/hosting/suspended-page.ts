import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Response } from 'express'
import { answerBytes, bytesOf } from '../http/answer.ts'
import { keepNowhere } from '../http/caching.ts'
import { addHeader } from '../http/headers.ts'
import { protectPage } from '../http/standard-headers.ts'
import { html, raw } from '../reference/html.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const style = ['../styles/tokens.css', '../styles/base.css', 'suspended-page.css'].map(read).join('\n')
const hash = createHash('sha256').update(style).digest('base64')
const protect = protectPage(
  `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
)

/** Search engines keep a page that answers 503 for a while, and come back after this time. */
const retryAfterSeconds = 3_600

/** Answers every request to a suspended project with 503 and a short page. */
export function sendSuspended(response: Response, title: string): void {
  protect(response.req, response, () => {
    keepNowhere(response)
    addHeader(response, 'Retry-After', String(retryAfterSeconds))
    addHeader(response, 'Content-Type', 'text/html; charset=utf-8')
    answerBytes(response, 503, bytesOf(pageOf(title)))
  })
}

const pageOf = (title: string) =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} · suspended</title><style>${raw(style)}</style></head>
<body><main><p class="soft">${title}</p><h1>This store is suspended</h1>
<p>It shows nothing for now. Nothing is lost: if it is yours, ask the operator of the platform to resume it.</p></main></body></html>
`.html
