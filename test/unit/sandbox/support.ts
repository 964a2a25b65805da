import { createSandbox } from '../../../src/sandbox/create-sandbox';
import type { Sandbox, SandboxLimits } from '../../../src/sandbox/sandbox';

/** For whom the calls of most tests are made. */
export const OWNER = { tenant: 'default' };
/** Much longer than any call that ends by itself takes, also on a busy machine. */
export const PATIENT = { owner: OWNER, timeoutMs: 20_000 };

export interface Failure {
  readonly code: unknown;
  readonly message: string;
  readonly retryable: boolean;
  readonly details: { readonly logs?: readonly string[] } | undefined;
}

/** A sandbox that is closed after the tests of the file. */
export function useSandbox(limits: Partial<SandboxLimits> = {}, threads = 1): Sandbox {
  const sandbox = createSandbox({ threads, limits });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** The error that a call rejects with; throws if it does not reject. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    return error as Failure;
  }
  throw new Error(`expected a rejection and got ${JSON.stringify(value)}`);
}

/** Expects a plain call to give its own result; a restarted thread alone would not show that. */
export async function expectAlive(sandbox: Sandbox): Promise<void> {
  const result = await sandbox.run('(args) => args.a + args.b', { a: 20, b: 22 }, PATIENT);
  expect(result).toEqual({ value: 42, logs: [] });
}
