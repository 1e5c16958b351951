import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Rooms whose files wait for builds, authorities, browsers and other processes; begun last, one of them keeps all others waiting. */
const longest = ['deploy', 'hosting', 'cli', 'faults', 'hostile', 'service', 'dashboard'].map(
  room => `test/${room}/`,
)

/** Vitest knows which files are long once it ran them here, and goes by their size before. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.some(room => moduleId.includes(room))
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}
