import type { Response } from 'express'
import { addHeader, sendHead } from './headers.ts'

/** A text's bytes, one character each: node sends such a string in one piece with the headers, and need not encode it. */
export function bytesOf(text: string): string {
  return /[^ -~]/.test(text) ? Buffer.from(text).toString('latin1') : text
}

/** Express's own send would hash every body for an ETag; the store knows its answers better. */
export function answerJson(response: Response, status: number, json: string): void {
  answerJsonBytes(response, status, bytesOf(json))
}

export function answerJsonBytes(response: Response, status: number, bytes: string): void {
  addHeader(response, 'Content-Type', 'application/json; charset=utf-8')
  answerBytes(response, status, bytes)
}

export function answerBytes(response: Response, status: number, bytes: string): void {
  addHeader(response, 'Content-Length', String(bytes.length))
  sendHead(response, status)
  response.end(bytes, 'latin1')
}

export function answerText(response: Response, type: string, text: string): void {
  addHeader(response, 'Content-Type', type)
  answerBytes(response, 200, bytesOf(text))
}

/** An answer that is all said in its status and headers. */
export function answerEmpty(response: Response, status: number): void {
  if (status !== 204 && status !== 304) addHeader(response, 'Content-Length', '0')
  sendHead(response, status)
  response.end()
}
