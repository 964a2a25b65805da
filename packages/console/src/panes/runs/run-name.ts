export interface NamedRun {
  readonly type: string;
  readonly workflowId: string;
  readonly tools?: readonly string[] | undefined;
}

/** The type of a run in words: `agent turn` for `agentTurn`. */
export const typeInWords = (type: string): string =>
  type.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Names after which a run of one of these types is called. */
const NAMED = new Set(['executeTool', 'executeToolFromQuery', 'customWorkflow']);

/**
 * Says what a run ran: its tool or its workflow, which its workflow id names unless a caller has chosen it, else its tools. Pure.
 * @returns undefined if only its type is known
 */
export function nameOfRun({ type, workflowId, tools = [] }: NamedRun): string | undefined {
  const [, name = ''] = workflowId.split('/');
  if (NAMED.has(type) && name !== '' && !name.startsWith('key-') && workflowId.split('/').length > 2)
    return name;
  const some = tools.slice(0, 3).join(', ');
  return some === '' ? undefined : `${some}${tools.length > 3 ? ', …' : ''}`;
}
