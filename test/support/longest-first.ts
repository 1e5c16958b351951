import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Rooms whose tests wait for builds, authorities, browsers and other processes. They run first, because a slow file
 * that begins last delays the whole run.
 */
const longest = ['deploy', 'hosting', 'cli', 'faults', 'hostile', 'service', 'dashboard'].map(
  room => `test/${room}/`,
)

/** Orders files by their last duration, or by size before their first run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.some(room => moduleId.includes(room))
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}
