import type { Answer } from './http';

type Parts = Readonly<Record<string, unknown>>;

/** A step in the form of a request. */
export interface RequestedStep {
  readonly id: string;
  readonly type: string;
  readonly config: Parts;
  readonly [part: string]: unknown;
}

/** An api_call step. */
export function fetchStep(id: string, url: string, config: Parts = {}, more: Parts = {}): RequestedStep {
  return { id, type: 'api_call', config: { url, ...config }, ...more };
}

/** A tool_execution step. */
export function toolStep(id: string, toolName: string, args: Parts = {}, more: Parts = {}): RequestedStep {
  return { id, type: 'tool_execution', config: { toolName, args }, ...more };
}

/** A tool_execution step that runs as a local activity. */
export function sumStep(id: string, a: unknown, b: unknown, more: Parts = {}): RequestedStep {
  return toolStep(id, 'calculator', { operation: 'add', a, b }, more);
}

/** An llm_call step. */
export function askStep(id: string, prompt: string, config: Parts = {}, more: Parts = {}): RequestedStep {
  return { id, type: 'llm_call', config: { prompt, ...config }, ...more };
}

/** The body of `POST /api/workflow/execute-custom`. */
export function customBody(steps: readonly unknown[], inputs: Parts = {}, more: Parts = {}): object {
  return { workflow: { name: 'Under test', steps }, inputs, ...more };
}

/** The result of each step of a completed run, by id. Throws the answer of any other run. */
export function resultsOf({ status, body, text }: Answer): Record<string, unknown> {
  if (status !== 200) throw new Error(`status ${status}: ${text}`);
  const outcomes = body.data.results as Record<string, { result: unknown }>;
  return Object.fromEntries(Object.entries(outcomes).map(([id, { result }]) => [id, result]));
}
