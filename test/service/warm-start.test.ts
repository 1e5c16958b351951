import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../support/databases.ts'
import { findProgram } from '../support/programs.ts'
import { answersAt, startProcess } from '../support/start-process.ts'

describe.skipIf(!findProgram('postgres'))('the start of a process on PostgreSQL', () => {
  it('a ready process answers the first request of each kind without the work of its start', async () => {
    const { env } = await freshDatabase()
    const running = await startProcess(env)
    await running.printed(answersAt)
    const cpuSeconds = async () => {
      const metrics = await (await fetch(`${running.opsUrl}/metrics`)).text()
      return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1])
    }
    const ofStart = await cpuSeconds()
    const query = JSON.stringify({ query: '{ __schema { types { name fields { name } } } }' })
    const json = { 'content-type': 'application/json' }
    const asked = [
      await fetch(`${running.url}/openapi.json`),
      await fetch(`${running.url}/reference`),
      await fetch(`${running.url}/graphql`, { method: 'POST', headers: json, body: query }),
    ]

    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await cpuSeconds()) - ofStart).toBeLessThan(ofStart / 2)
    running.child.kill('SIGTERM')
    await running.ended
  })
})
