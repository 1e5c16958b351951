import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { documentedAnswers } from './contract-document.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which each test process notes the answers it saw. */
    seenAnswers: string
  }
}

/** Fails a full run of the tests unless it has seen every answer that openapi.yaml documents. */
export default function requireEveryAnswer(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-answers-'))
  project.provide('seenAnswers', folder)
  return async () => {
    const seen = new Set(
      readdirSync(folder).flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n')),
    )
    rmSync(folder, { recursive: true })
    const unseen = documentedAnswers.filter(answer => !seen.has(answer))
    if (unseen.length > 0 && (await isWholeRun(project))) {
      throw new Error(`openapi.yaml documents answers that no test has seen: ${unseen.join(', ')}.`)
    }
  }
}

/** False if tests were filtered, skipped or failed: then some answers cannot have been seen. */
async function isWholeRun(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles()
  const modules = project.vitest.state.getTestModules()
  return modules.length === testFiles.length && modules.every(passedWhole)

  function passedWhole(module: (typeof modules)[number]): boolean {
    return module.ok() && module.children.allTests().every(test => test.result().state === 'passed')
  }
}
