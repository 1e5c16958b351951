import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  // Without this alias, Node.js and Vite would load two different builds of graphql, and each build rejects the schemas
  // of the other build.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts', 'test/support/contract-seen.ts'],
    pool: 'forks',
    // A worker process runs many test files without loading the service again. Loading the service for each of two
    // hundred files took a third of the time. So a test file must restore everything that the file changes.
    isolate: false,
    // A file waits for other processes more than half of its time, so two cores can run three files.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Only tests that hang should reach these timeouts. The timeouts are long, because on busy cores the start of a
    // single process may take twenty seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    // The default timeout of `expect.poll`. An expectation that needs another timeout sets the timeout itself.
    expect: { poll: { timeout: 30_000 } },
  },
})
