import type { ToolCall, ToolLimits } from '../../../../src/contracts/runs/tools';
import type { LeadingResult } from '../../../../src/templates/following-calls';
import { SharedSteps } from '../../../../workflows/steps/shared-steps';
import { runToolStep } from '../../../../workflows/steps/tool-step';

jest.mock('../../../../workflows/steps/tool-step');
const running = Promise.resolve<LeadingResult>({ output: 1, executionTime: 2 });
jest.mocked(runToolStep).mockReturnValue(running);

const limits = {} as ToolLimits;
const call = (toolName: string): ToolCall => ({ toolName, args: {}, implementation: { kind: 'builtin' } });

// In histories of earlier versions, calls that end together end in the order of their activities. A call that ended a
// microtask later than before could change places with another one, and take its result in a replay.
test.each<[string, string]>([
  ['with an effect', 'api_call'],
  ['that nothing follows', 'calculator'],
])('a call %s ends as soon as its activity', (_, toolName) => {
  expect(new SharedSteps().run(call(toolName), '1', limits, () => undefined)).toBe(running);
});
