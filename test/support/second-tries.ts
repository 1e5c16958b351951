import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Names the tests that passed only at their second try. The gate gives each test two tries, so that one slow moment
 * does not fail a run of thousands of tests. A test named here still has a defect.
 */
export default class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap(module => [...module.children.allTests()].filter(passedLate))
    if (flaky.length === 0) return
    console.log(`\n${flaky.length} tests passed only at their second try:`)
    for (const test of flaky)
      console.log(`  ${test.module.relativeModuleId}: ${test.fullName}\n    ${why(test)}`)
  }
}

function passedLate(test: TestCase): boolean {
  return test.diagnostic()?.flaky ?? false
}

function why(test: TestCase): string {
  return test.result().errors?.[0]?.message.split('\n')[0] ?? 'The first try gave no reason.'
}
