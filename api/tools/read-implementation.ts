import { HoldfastError, messageOf, validationError } from '../../src/base/errors';
import type { JsonSchema, ToolImplementation } from '../../src/contracts/http/tools';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import type { Sandbox, SourceProblem } from '../../src/sandbox/sandbox';
import type { SecretBox } from '../../src/secrets/secret-box';
import { checkHttpDeclaration, type HttpDeclaration } from '../../src/tools/http/http-declaration';
import { toHttpImplementation } from '../../src/tools/http/http-tools';

/** What a registration says of how its tool is run. */
export interface RegisteredCode {
  readonly name: string;
  readonly execute?: string | null | undefined;
  readonly http?: HttpDeclaration | undefined;
  readonly repeatable?: boolean | undefined;
}

export interface ImplementationPorts {
  /** Only parses source; the API runs none. */
  readonly sandbox: Pick<Sandbox, 'check'>;
  readonly secrets: SecretBox;
}

/**
 * Reads how a tool is run, and checks what can be checked before a call.
 * @throws HoldfastError `VALIDATION`, `STORE_UNAVAILABLE` (retryable) if source could not be checked
 */
export async function readImplementation(
  { sandbox, secrets }: ImplementationPorts,
  { name, execute: source, http, repeatable }: RegisteredCode,
  inputSchema: JsonSchema,
  owner: RunOwner,
): Promise<ToolImplementation> {
  if (source != null && http !== undefined)
    throw validationError('http', 'has no execute beside it: choose one of them');
  if (repeatable !== undefined && http === undefined)
    throw validationError('repeatable', 'is for tools with http');
  if (http !== undefined) {
    checkHttpDeclaration(http, inputSchema);
    const implementation = toHttpImplementation(http, { secrets, tenant: owner.tenant, name });
    return repeatable === true ? { ...implementation, repeatable } : implementation;
  }
  if (source == null) return { kind: 'none' };
  await checkSource(sandbox, source, owner);
  return { kind: 'source', source };
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
