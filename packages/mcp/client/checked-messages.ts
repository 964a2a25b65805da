import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describeExcess, findExcess, MAX_NESTING } from '../../../src/base/json/bounds';

/** The client checks most parts of a message by recursive schemas, which describe each wrong item. It takes about 10 µs for each value. */
const PART = { levels: MAX_NESTING, values: 20_000 };
/** Structured content is data, which the client copies and does not check. */
const DATA = { levels: MAX_NESTING, values: 2_000_000 };
/** A definition of more values has more characters than are kept. */
const TOOL = { levels: MAX_NESTING, values: 32_768 };
/** All definitions of one message. They are a list, which adds one level. */
const TOOLS = { levels: MAX_NESTING + 1, values: 200_000 };
/** The number of entries of one list. A listing with half of them in use and half of them skipped is refused as well. */
const MAX_ENTRIES = 2_000;
const INTERNAL_ERROR = -32_603;

/** In the `data` of an error that stands for a message of the server. Its message describes the server's one. */
export const UNFIT_MESSAGE = Symbol('unfit message');

/** Stands in a list of tools for a definition that is too large to be read. */
export class UnfitTool {
  readonly name: string;
  /** As in `is nested deeper than 256 levels`. */
  readonly problem: string;

  constructor(name: unknown, problem: string) {
    this.name = typeof name === 'string' ? name : '';
    this.problem = problem;
  }
}

type Receive = NonNullable<Transport['onmessage']>;

/**
 * Makes a transport check the size of each message before any handler of the client reads it, whatever handler the client sets
 * and whichever way the message came. A response that is too large becomes an error with `UNFIT_MESSAGE`; a tool that is too large
 * becomes an `UnfitTool` in its list; any other message that is too large is dropped. What the transport itself does before is not
 * recursive.
 */
export function checkMessages(transport: Transport): void {
  let checked: Receive | undefined;
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => checked,
    set(receive: Receive | undefined) {
      checked =
        receive &&
        ((message, extra) => {
          const fit = toFitMessage(message);
          if (fit !== undefined) receive(fit, extra);
        });
    },
  });
}

/** Whether a part of a message, other than tools and structured content, is within its bounds. Pure. */
export function isFitPart(part: unknown): boolean {
  return findExcess(part, PART) === undefined;
}

/** Pure but for the tools of a list, which are replaced in place. */
export function toFitMessage(message: JSONRPCMessage): JSONRPCMessage | undefined {
  const problem = 'result' in message ? findProblemOfResult(message.result) : problemOf(message, PART);
  if (problem === undefined) return message;
  if (!('result' in message || 'error' in message) || message.id === undefined) return undefined;
  const error = { code: INTERNAL_ERROR, message: `its answer ${problem}`, data: UNFIT_MESSAGE };
  return { jsonrpc: '2.0', id: message.id, error };
}

function findProblemOfResult(result: Record<string, unknown>): string | undefined {
  const { tools, structuredContent, ...parts } = result;
  const problem = problemOf(parts, PART) ?? problemOf(structuredContent, DATA);
  if (problem !== undefined || !Array.isArray(tools)) return problem ?? problemOf(tools, PART);
  if (tools.length > MAX_ENTRIES) return `lists more than ${MAX_ENTRIES} tools`;
  result['tools'] = tools.map((tool: unknown) => {
    const unfit = problemOf(tool, TOOL);
    return unfit === undefined ? tool : new UnfitTool((tool as { name?: unknown }).name, unfit);
  });
  return problemOf(result['tools'], TOOLS);
}

function problemOf(value: unknown, bounds: typeof PART): string | undefined {
  const excess = findExcess(value, bounds);
  return excess && `is ${describeExcess(excess, bounds)}`;
}
