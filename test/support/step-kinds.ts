import { apiCall, calculator } from './calls';
import type { Answer } from './http';
import type { Api, Stage } from './stage';
import { askStep, customBody } from './workflow-steps';

/** Kinds of calls by the task queue in which they wait; light calls run within the run's own workflow task. */
export const STEP_KINDS = ['light', 'io', 'sandbox', 'models'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Registers the tool that `call` needs. */
export async function registerBusyTool({ post }: Pick<Api, 'post'>): Promise<void> {
  const { status, text } = await post('/api/tools/register', {
    name: 'busy',
    parameters: { ms: 'number' },
    execute: '({ ms }) => { const until = Date.now() + ms; while (Date.now() < until); return "ok"; }',
  });
  if (status !== 201) throw new Error(`busy was not registered: ${status} ${text}`);
}

export interface CallOptions {
  /** Path at the peer. */
  readonly path?: string;
  /** How long the sandbox is kept busy, milliseconds. */
  readonly busyMs?: number;
  /** The time limit of the call, milliseconds; absent for that of the settings. */
  readonly timeout?: number;
}

/** Makes one run with one step of a kind. */
export function callOf(
  kind: StepKind,
  { post }: Pick<Api, 'post'>,
  { peer }: Pick<Stage, 'peer'>,
  { path = '/now', busyMs = 0, timeout }: CallOptions = {},
): Promise<Answer> {
  const limit = timeout === undefined ? {} : { timeout };
  const execute = (call: object) => post('/api/tools/execute', { ...call, options: limit });
  switch (kind) {
    case 'light':
      return execute(calculator('add', 1, 2));
    case 'io':
      return execute(apiCall(peer.url + path));
    case 'sandbox':
      return execute({ toolName: 'busy', args: { ms: busyMs } });
    case 'models':
      return post('/api/workflow/execute-custom', customBody([askStep('ask', 'hello', {}, limit)]));
  }
}
