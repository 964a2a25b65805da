import { type Client, isSpecType, specTypeSchemas } from '@modelcontextprotocol/client';

/** An entry of a list of tools that has not the form of a tool. */
export interface MalformedTool {
  readonly tool: unknown;
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
  const checked = specTypeSchemas.Tool['~standard'].validate(tool);
  if (checked.issues !== undefined) {
    const [issue] = checked.issues;
    const path = issue?.path?.map((part) => String(typeof part === 'object' ? part.key : part)) ?? [];
    return `${path.join('.')}: ${issue?.message}`;
  }
  const { name, outputSchema } = checked.value;
  // Before that revision an output schema has the form of an input schema.
  const isFit = outputSchema === undefined || isSpecType.Tool({ name, inputSchema: outputSchema });
  return isFit || protocol >= FIRST_WITH_ANY_OUTPUT ? undefined : 'outputSchema: is not that of an object';
}
