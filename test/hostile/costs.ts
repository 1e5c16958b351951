import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Running } from '../support/start-process.ts'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const pageBytes = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }))

/** Returns the resident memory of all processes in megabytes. */
export const megabytesOf = (processes: readonly Running[]) =>
  Math.round(
    sum(processes, ({ child }) => (Number(read(child.pid, 'statm').split(' ')[1]) * pageBytes) / 1e6),
  )

/** Returns the CPU seconds that all processes have used so far. */
export const cpuSecondsOf = (processes: readonly Running[]) =>
  sum(processes, ({ child }) => {
    // The name in brackets may contain spaces. Fields 14 and 15 are the user and system time.
    const fields = read(child.pid, 'stat').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  })

const read = (pid: number | undefined, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
const sum = (processes: readonly Running[], of: (process: Running) => number) =>
  processes.reduce((total, process) => total + of(process), 0)
