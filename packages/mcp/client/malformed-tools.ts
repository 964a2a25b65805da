import { type Client, isSpecType, specTypeSchemas } from '@modelcontextprotocol/client';
import { UnfitTool } from './checked-messages';

/** An entry of a list of tools that has not the form of a tool, or is too large to be read. */
export interface MalformedTool {
  readonly tool: unknown;
  /** As in `is malformed: name: …`. */
  readonly problem: string;
}

/**
 * Takes malformed tools out of the lists of a server before its client reads them, because the client refuses a list with one of
 * them as a whole. It refuses a cursor of null too, with which some servers end their last page.
 * @param protocol the revision that the server speaks
 * @param note called with each of them
 */
export function takeOutMalformedTools(
  { transport }: Pick<Client, 'transport'>,
  protocol: string,
  note: (malformed: MalformedTool) => void,
): void {
  const receive = transport?.onmessage;
  if (transport === undefined || receive === undefined) return;
  transport.onmessage = (message, extra) => {
    const { result } = message as { readonly result?: { tools?: unknown; nextCursor?: unknown } };
    if (result?.nextCursor === null) delete result.nextCursor;
    if (result !== undefined && Array.isArray(result.tools)) {
      result.tools = result.tools.filter((tool: unknown) => {
        const problem = findProblem(tool, protocol);
        if (problem !== undefined) note({ tool, problem });
        return problem === undefined;
      });
    }
    receive(message, extra);
  };
}

/** The first revision in which the results of a tool need not be objects. Revisions are dates. */
const FIRST_WITH_ANY_OUTPUT = '2026';

function findProblem(tool: unknown, protocol: string): string | undefined {
  if (tool instanceof UnfitTool) return tool.problem;
  const checked = checkForm(tool);
  if (typeof checked === 'string') return checked;
  if (checked.issues !== undefined) {
    const [issue] = checked.issues;
    const path = issue?.path?.map((part) => String(typeof part === 'object' ? part.key : part)) ?? [];
    return `is malformed: ${path.join('.')}: ${issue?.message}`;
  }
  const { name, outputSchema } = checked.value;
  // Before that revision an output schema has the form of an input schema.
  const isFit = outputSchema === undefined || isSpecType.Tool({ name, inputSchema: outputSchema });
  return isFit || protocol >= FIRST_WITH_ANY_OUTPUT
    ? undefined
    : 'is malformed: outputSchema: is not that of an object';
}

type FormCheck = ReturnType<(typeof specTypeSchemas.Tool)['~standard']['validate']>;

/**
 * Checks the form of a tool. If the check throws, zod repeats it asynchronously, and the promise of that would be rejected with
 * no one to take it.
 */
function checkForm(tool: unknown): FormCheck | string {
  // The declared type leaves the promise out.
  const checked: FormCheck | Promise<FormCheck> = specTypeSchemas.Tool['~standard'].validate(tool);
  if (!isPromise(checked)) return checked;
  checked.catch(() => undefined);
  return 'cannot be checked';
}

function isPromise(value: object): value is Promise<unknown> {
  return 'then' in value;
}
