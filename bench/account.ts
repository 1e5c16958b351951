import { readFileSync } from 'node:fs'

/**
 * Returns the CPU time of a process. The result is a multiple of 10,000 microseconds, because /proc counts CPU time in
 * hundredths of a second.
 */
export function cpuMicroseconds(pid: number): number {
  const { user, system } = readStat(pid)
  return (user + system) * 10_000
}

/**
 * Returns the CPU time of a process and of its child processes. The result includes child processes that have ended,
 * because the kernel adds their CPU time to the parent process.
 */
export function familyCpuMicroseconds(pid: number): number {
  const { user, system, usersGone, systemsGone } = readStat(pid)
  const own = (user + system + usersGone + systemsGone) * 10_000
  return childrenOf(pid).reduce((sum, child) => sum + cpuUnlessGone(child), own)
}

export const parentOf = (pid: number) => readStat(pid).parent
export const peakMegabytes = (pid: number) => megabytes(pid, 'VmHWM')
export const residentMegabytes = (pid: number) => megabytes(pid, 'VmRSS')

/**
 * `fields` begins with field 3 in the numbering of `man 5 proc`, because field 2, the process name, may contain spaces
 * and parentheses.
 */
function readStat(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return {
    parent: field(4),
    user: field(14),
    system: field(15),
    usersGone: field(16),
    systemsGone: field(17),
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

function cpuUnlessGone(pid: number): number {
  try {
    return cpuMicroseconds(pid)
  } catch {
    return 0
  }
}

function megabytes(pid: number, field: string): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find(text => text.startsWith(`${field}:`))
  return Number(line?.match(/\d+/)?.[0]) / 1024
}
