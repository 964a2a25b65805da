import { HoldfastError, messageOf, validationError } from '../../src/base/errors';
import type { JsonSchema, ToolImplementation } from '../../src/contracts/http/tools';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import type { Sandbox, SourceProblem } from '../../src/sandbox/sandbox';
import type { SecretBox } from '../../src/secrets/secret-box';
import { queuesOf, type ExternalQueue } from '../../src/settings/external-queues';
import {
  type ExternalDeclaration,
  toExternalImplementation,
} from '../../src/tools/external/external-declaration';
import { checkHttpDeclaration, type HttpDeclaration } from '../../src/tools/http/http-declaration';
import { toHttpImplementation } from '../../src/tools/http/sealed-headers';

/** What a registration says of how its tool is run. */
export interface RegisteredCode extends ExternalDeclaration {
  readonly name: string;
  readonly execute?: string | null | undefined;
  readonly http?: HttpDeclaration | undefined;
}

export interface ImplementationPorts {
  /** Only parses source; the API runs none. */
  readonly sandbox: Pick<Sandbox, 'check'>;
  readonly secrets: SecretBox;
  readonly externalQueues: readonly ExternalQueue[];
}

/** The ways to say how a tool is run, of which a registration has at most one. */
const WAYS = ['execute', 'http', 'activity', 'workflow'] as const;

/**
 * Reads how a tool is run, and checks what can be checked before a call.
 * @throws HoldfastError `VALIDATION`, `STORE_UNAVAILABLE` (retryable) if source could not be checked
 */
export async function readImplementation(
  { sandbox, secrets, externalQueues }: ImplementationPorts,
  code: RegisteredCode,
  inputSchema: JsonSchema,
  owner: RunOwner,
): Promise<ToolImplementation> {
  checkTogether(code);
  const { name, execute: source, http, repeatable } = code;
  const { tenant } = owner;
  const isAllowed = (taskQueue: string): boolean => queuesOf(externalQueues, tenant).includes(taskQueue);
  const external = toExternalImplementation(code, inputSchema, isAllowed);
  if (external !== undefined) return external;
  if (http !== undefined) {
    checkHttpDeclaration(http, inputSchema);
    const implementation = toHttpImplementation(http, { secrets, tenant, name });
    return repeatable === true ? { ...implementation, repeatable } : implementation;
  }
  if (source == null) return { kind: 'none' };
  await checkSource(sandbox, source, owner);
  return { kind: 'source', source };
}

function checkTogether(code: RegisteredCode): void {
  const [way, second] = WAYS.filter((each) => code[each] != null);
  if (second !== undefined) throw validationError(second, `has no ${way} beside it: choose one of them`);
  const isExternal = way === 'activity' || way === 'workflow';
  if (code.timeoutMs !== undefined && !isExternal)
    throw validationError('timeoutMs', 'is for tools with activity or workflow');
  if (code.repeatable !== undefined && !isExternal && way !== 'http')
    throw validationError('repeatable', 'is for tools with http, activity or workflow');
}

async function checkInSandbox(
  sandbox: Pick<Sandbox, 'check'>,
  source: string,
  owner: RunOwner,
): Promise<SourceProblem | undefined> {
  try {
    return await sandbox.check(source, owner);
  } catch (error) {
    // The source itself cannot cause this error: no thread was free, or the process is stopping.
    const reason = messageOf(error);
    throw new HoldfastError('STORE_UNAVAILABLE', `The source could not be checked: ${reason}`, {
      details: { service: 'sandbox', reason },
      retryable: true,
      cause: error,
    });
  }
}

async function checkSource(sandbox: Pick<Sandbox, 'check'>, source: string, owner: RunOwner): Promise<void> {
  const problem = await checkInSandbox(sandbox, source, owner);
  if (problem === undefined) return;
  const { missing, message, line, column } = problem;
  const place = `at line ${line}, column ${column}`;
  throw validationError(
    'execute',
    missing === undefined
      ? `does not parse: ${message} ${place}`
      : `uses ${missing} ${place}, which the sandbox does not have: ${message}`,
  );
}
