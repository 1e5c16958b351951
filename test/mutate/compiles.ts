import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import type { Mutation } from './mutations.ts'
import { mutated } from './run-tests.ts'

/** A bug that does not compile would never be merged, so it is skipped. Compiles the one file in memory. */
export function openCompiler(): (mutation: Mutation) => boolean {
  const config = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
      },
    },
  )
  if (!config) throw new Error('tsconfig.json cannot be read.')
  const changed = new Map<string, { text: string; version: number }>()
  const service = ts.createLanguageService({
    ...ts.sys,
    getCompilationSettings: () => config.options,
    getScriptFileNames: () => config.fileNames.filter(name => name.includes('/src/')),
    getScriptVersion: name => String(changed.get(name)?.version ?? 0),
    getScriptSnapshot: name => {
      const text = changed.get(name)?.text ?? ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    useCaseSensitiveFileNames: () => true,
    getDefaultLibFileName: options => ts.getDefaultLibFilePath(options),
  })
  let version = 0

  return mutation => {
    const name = resolve(mutation.file)
    version += 1
    changed.set(name, { text: mutated(mutation, readFileSync(name, 'utf8')), version })
    const faults = [...service.getSyntacticDiagnostics(name), ...service.getSemanticDiagnostics(name)]
    version += 1
    changed.set(name, { text: readFileSync(name, 'utf8'), version })
    return faults.length === 0
  }
}
