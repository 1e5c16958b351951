import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import type { Mutation } from './mutations.ts'
import { mutated } from './run-tests.ts'

/** True if a bug compiles. The compiler rejects the others, so they need no test. */
export function openCompiler(): (mutation: Mutation) => boolean {
  const byConfig = new Map<string, (mutation: Mutation) => boolean>()
  return mutation => {
    if (mutation.file.endsWith('.sql')) return true
    const config = configOf(mutation.file)
    const compiles = byConfig.get(config) ?? openProject(config)
    byConfig.set(config, compiles)
    return compiles(mutation)
  }
}

/** The nearest tsconfig.json above a file. */
function configOf(file: string): string {
  let folder = dirname(file)
  while (!existsSync(join(folder, 'tsconfig.json'))) folder = dirname(folder)
  return join(folder, 'tsconfig.json')
}

function openProject(path: string): (mutation: Mutation) => boolean {
  const config = ts.getParsedCommandLineOfConfigFile(
    path,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
      },
    },
  )
  if (!config) throw new Error(`${path} cannot be read.`)
  const changed = new Map<string, { text: string; version: number }>()
  const service = ts.createLanguageService({
    ...ts.sys,
    getCompilationSettings: () => config.options,
    getScriptFileNames: () => config.fileNames.filter(name => /\/(src|prisma)\//.test(name)),
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
