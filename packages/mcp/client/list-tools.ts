import type { DiscoverResult, Tool } from '@modelcontextprotocol/client';
import type { Connect, ServerAccess } from './connect';
import { readTool, type RemoteTool } from './remote-tool';
import { startTimeLimit, untilAborted } from '../../../src/base/async/time-limit';
import { HoldfastError, isHoldfastError } from '../../../src/base/errors';
import { isFitPart } from './checked-messages';
import { describeRemoteFailure, toLoginRequired } from './failures';
import { type MalformedTool, takeOutMalformedTools } from './malformed-tools';
import { registryName } from './tool-names';

/** What a server says of itself and of its tools. */
export interface Listing {
  /** The protocol's revision, as in `2026-07-28`. */
  readonly protocol: string;
  readonly discover?: DiscoverResult;
  readonly tools: readonly RemoteTool[];
  /** Tools that cannot be used, and why. */
  readonly skipped: readonly { readonly tool: string; readonly reason: string }[];
  /** How long the list may be used, milliseconds. */
  readonly ttlMs: number;
}

/** The maximum time for listing the tools of a server, milliseconds. */
const LIST_LIMIT_MS = 15_000;
/** The client ignores whatever else a command writes, so such a command only seems to be slow. */
const COMMAND_HINT = '; a command may write only messages of the protocol to its standard output';
const MAX_TOOLS = 1_000;
const MAX_PAGES = 100;
/** The maximum number of characters of a name, and of the reason why a tool is skipped, that are shown. */
const MAX_NAME = 256;
const MAX_REASON = 200;
/** The maximum size of one definition, and of all definitions of a server, in characters of JSON. */
const MAX_DEFINITION = 65_536;
const MAX_LISTING = 4_194_304;
/** What a server says of itself is kept only up to this size, because each call reads it. */
const MAX_DISCOVER = 16_384;
const HOUR_MS = 3_600_000;
const MIN_TTL_MS = 60_000;
const MAX_TTL_MS = 24 * HOUR_MS;

/**
 * Lists the tools of a server.
 * @throws HoldfastError `MCP_SERVER_UNAVAILABLE` with the reason; `MCP_LOGIN_REQUIRED`; the reason of the signal
 */
export async function listTools(
  connect: Connect,
  name: string,
  access: ServerAccess,
  stopping: AbortSignal,
): Promise<Listing> {
  const hint = 'command' in access ? COMMAND_HINT : '';
  const limit = startTimeLimit({
    signal: stopping,
    timeoutMs: LIST_LIMIT_MS,
    timedOut: () => unavailable(name, `it did not answer within ${LIST_LIMIT_MS} ms${hint}`),
  });
  try {
    // Ending the connection takes some seconds if the server does not help.
    return await untilAborted(readListing(connect, name, access, limit.signal), limit.signal);
  } catch (error) {
    if (limit.signal.aborted) throw limit.signal.reason;
    if (isHoldfastError(error) && error.code === 'MCP_SERVER_UNAVAILABLE') throw error;
    throw toLoginRequired(name, error) ?? unavailable(name, describeRemoteFailure(error).description, error);
  } finally {
    limit.end();
  }
}

async function readListing(
  connect: Connect,
  name: string,
  access: ServerAccess,
  signal: AbortSignal,
): Promise<Listing> {
  const options = { signal, timeout: LIST_LIMIT_MS };
  const { client, close } = await connect(access, { signal, timeoutMs: LIST_LIMIT_MS });
  try {
    if (client.getServerCapabilities()?.tools === undefined) throw new Error('it offers no tools');
    const protocol = client.getNegotiatedProtocolVersion() ?? '';
    const listed = new ListedTools(name);
    const malformed: MalformedTool[] = [];
    takeOutMalformedTools(client, protocol, (one) => malformed.push(one));
    let ttlMs: unknown;
    const cursors = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 1; ; pages += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const page = await client.request({ method: 'tools/list', params }, options);
      page.tools.forEach((tool) => listed.add(tool));
      malformed.splice(0).forEach((one) => listed.addMalformed(one));
      ttlMs ??= page['ttlMs'];
      cursor = page.nextCursor;
      // A server that does not read cursors answers each with its only page.
      if (cursor === undefined || cursors.has(cursor)) break;
      cursors.add(cursor);
      if (pages === MAX_PAGES) throw new Error(`its list has more than ${MAX_PAGES} pages`);
    }
    const discover = client.getDiscoverResult();
    // A command is asked for its revision through a transport that the client opens itself, without a check of messages.
    const isKept =
      discover !== undefined && isFitPart(discover) && JSON.stringify(discover).length <= MAX_DISCOVER;
    return {
      protocol,
      discover: isKept ? discover : undefined,
      tools: listed.tools,
      skipped: listed.skipped,
      ttlMs: Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, typeof ttlMs === 'number' ? ttlMs : HOUR_MS)),
    };
  } finally {
    await close();
  }
}

/** Collects the tools of a server's pages within the limits of a listing. */
class ListedTools {
  readonly tools: RemoteTool[] = [];
  readonly skipped: { readonly tool: string; readonly reason: string }[] = [];
  readonly #server: string;
  /** The definition of each name, as its digest. */
  readonly #digests = new Map<string, string>();
  #length = 0;

  constructor(server: string) {
    this.#server = server;
  }

  /** @throws Error if the list is too long, after which no more pages are read */
  add(tool: Tool): void {
    const length = this.#count(tool);
    const name = registryName(this.#server, tool.name);
    const remote = readTool(tool);
    const known = this.#digests.get(name);
    // The same definition again is no other tool.
    if (known === remote.digest) return;
    this.#digests.set(name, known ?? remote.digest);
    if (length > MAX_DEFINITION) {
      this.#skip(tool, `its definition has ${length} characters; at most ${MAX_DEFINITION} are kept`);
    } else if (known !== undefined) {
      this.#skip(tool, 'a tool before it has the same name');
    } else if (this.tools.push(remote) > MAX_TOOLS) {
      throw new Error(`it lists more than ${MAX_TOOLS} tools`);
    }
  }

  /** @throws Error as `add` does */
  addMalformed({ tool, problem }: MalformedTool): void {
    this.#count(tool);
    const { name } = (tool ?? {}) as { readonly name?: unknown };
    const reason = `its definition ${problem}`.slice(0, MAX_REASON);
    this.#skip({ name: typeof name === 'string' ? name : '' }, reason);
  }

  /** Counts an entry in the length of the list. @returns its length @throws Error if the list is too long */
  #count(tool: unknown): number {
    const { length } = JSON.stringify(tool);
    this.#length += length;
    if (this.#length > MAX_LISTING) throw new Error(`its list has more than ${MAX_LISTING} characters`);
    return length;
  }

  #skip({ name }: Pick<Tool, 'name'>, reason: string): void {
    this.skipped.push({ tool: name.slice(0, MAX_NAME), reason });
    if (this.skipped.length > MAX_TOOLS)
      throw new Error(`more than ${MAX_TOOLS} of its tools cannot be used`);
  }
}

function unavailable(name: string, reason: string, cause?: unknown): HoldfastError {
  return new HoldfastError('MCP_SERVER_UNAVAILABLE', `The tools of "${name}" cannot be listed: ${reason}`, {
    details: { server: name, reason },
    cause,
  });
}
