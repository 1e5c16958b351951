import { readFileSync } from 'node:fs'

/** The kernel's own account of a process; /proc counts in hundredths of a second. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

export const peakMegabytes = (pid: number) => megabytes(pid, 'VmHWM')
export const residentMegabytes = (pid: number) => megabytes(pid, 'VmRSS')

function megabytes(pid: number, field: string): number {
  const line = readFileSync(`/proc/${pid}/status`, 'utf8')
    .split('\n')
    .find(text => text.startsWith(`${field}:`))
  return Number(line?.match(/\d+/)?.[0]) / 1024
}
