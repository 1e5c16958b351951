import { globSync, readFileSync } from 'node:fs'
import { type Mutation, roomOf } from './mutations.ts'

const most = 12

/**
 * Guesses which tests run a function: the tests whose paths or texts contain words of the function's name and path.
 * Tests in the folder of the function's room (see `roomOf`) are preferred. The guess may miss tests that would notice a
 * bug, so the number of unnoticed bugs may be too high, but never too low.
 */
export function likeliestTests(mutation: Mutation): string[] {
  const words = wordsOf(`${mutation.file.split('/').slice(2).join(' ')} ${mutation.inFunction}`)
  return globSync('test/**/*.test.ts')
    .filter(
      test =>
        test.startsWith(`test/${roomOf(mutation)}/`) || !/^test\/(dashboard|deploy|reference)\//.test(test),
    )
    .map(test => ({ test, score: scoreOf(test, words, roomOf(mutation)) }))
    .sort((one, other) => other.score - one.score || one.test.localeCompare(other.test))
    .slice(0, most)
    .map(({ test }) => test)
}

/**
 * Scores a test file. A word of the function in the path of the file counts as much as the folder of the function's
 * room (see `roomOf`). A word in the text of the file counts less.
 */
function scoreOf(test: string, words: string[], room: string): number {
  const text = readFileSync(test, 'utf8').toLowerCase()
  const inPath = words.filter(word => test.includes(word)).length
  const inText = words.filter(word => text.includes(word)).length
  return (test.startsWith(`test/${room}/`) ? 3 : 0) + 3 * inPath + inText
}

/** Strips endings, so that `pets` is found in `pet-pages`. */
function wordsOf(name: string): string[] {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return [...new Set(words.filter(word => word.length > 2).map(word => word.replace(/(es|s|ed)$/, '')))]
}
