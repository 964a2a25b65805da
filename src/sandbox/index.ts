export { createSandbox, type SandboxOptions } from './create-sandbox';
export { DEFAULT_LIMITS, MAX_NESTING } from './sandbox';
export type { Sandbox, SandboxCall, SandboxLimits, SandboxResult, SourceProblem } from './sandbox';
