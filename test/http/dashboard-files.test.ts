import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { dashboardRouter } from '../../src/http/dashboard-files.ts'
import { ask } from '../support/ask.ts'
import { standIn } from '../support/stand-in.ts'

it('the dashboard stays whole while a new one is built beside a running service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-dashboard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const build = (what: string) => {
    mkdirSync(join(folder, 'assets'), { recursive: true })
    writeFileSync(join(folder, 'index.html'), what)
    writeFileSync(join(folder, 'assets/main.js'), what)
  }
  const url = await standIn(express().use('/dashboard', dashboardRouter(folder)))
  const files = async () =>
    Promise.all(['/dashboard/', '/dashboard/assets/main.js'].map(async path => (await ask(url + path)).text))

  build('first')
  expect(await files()).toEqual(['first', 'first'])
  build('second')
  expect(await files()).toEqual(['first', 'first'])
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  expect(await files()).toEqual(['first', 'first'])
})
