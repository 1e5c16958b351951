import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  // Node and Vite would each load another of graphql's two copies, which do not know each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/support/contract-seen.ts'],
    pool: 'forks',
    // To load the service anew for each of two hundred files took a third of the time; whatever a file changes it puts back.
    isolate: false,
    // A file waits for other processes more than half of its time, so two cores bear three.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Only what hangs should end by it: on loaded cores a process alone may take twenty seconds to start.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    // What a promise gives a time of its own says so where it is awaited.
    expect: { poll: { timeout: 30_000 } },
  },
})
