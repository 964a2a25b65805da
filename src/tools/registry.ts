import { isDeepStrictEqual } from 'node:util';
import type { ToolDescription } from '../contracts/http/llm';
import type { StoredTool } from '../contracts/http/tools';
import { jsonLength } from '../contracts/json-length';
import { waitsWhenPlanned } from '../contracts/runs/approval-needs';
import { validationError } from '../base/errors';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { DocumentWrite, StoredDocument, TenantDocuments } from '../stores/documents';
import { createKeptList } from '../stores/kept-list';
import { withNumericSchemas } from '../sandbox/numeric-bounds';
import { callMarks, maxTotalLength, MEAN_LENGTH } from './call-marks';
import { isReservedToolName, toolNameSchema } from './registry-names';
import {
  createRegistryDocuments,
  deleteTool,
  putState,
  putTool,
  type RegistryState,
} from './registry-documents';
import type { BuiltinTool } from './tool';

/** A tool as a caller registers it; the registry adds the time. */
export type ToolRegistration = Omit<StoredTool, 'registeredAt'>;

/** The part of a built-in tool that the registry needs. */
export type BuiltinDefinition = Pick<BuiltinTool, 'name' | 'description' | 'inputSchema'>;

export interface ToolRegistryOptions {
  readonly documents: TenantDocuments;
  /**
   * The built-ins that this process has switched on. It ignores the stored documents of others: another process may have them on,
   * or they are gone from the code.
   */
  readonly builtins: readonly BuiltinDefinition[];
  /** Maximum number of registered tools. Built-ins are added even above it. */
  readonly maxTools: number;
  /** Epoch milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/**
 * The tools of the service, shared by all processes. Every call asks the store, so a registration is seen
 * everywhere at once. All methods throw `STORE_UNAVAILABLE` (retryable).
 */
export interface ToolRegistry {
  /**
   * Adds the built-ins that this data store has never had, and updates the definitions of those it has. A built-in that
   * a caller removed stays removed, and one that a caller replaced by another tool stays replaced. Every process calls
   * this when it starts.
   */
  seed(): Promise<void>;
  get(name: string): Promise<StoredTool | undefined>;
  /** The named tools that exist, by name. */
  getMany(names: readonly string[]): Promise<Map<string, StoredTool>>;
  /**
   * All tools ordered by name, without their implementations. The list is kept in memory; one small read finds out
   * whether a process has changed the registry.
   */
  list(): Promise<readonly ToolDescription[]>;
  /** The number of tools. It takes one small read while the list is kept in memory. */
  count(): Promise<number>;
  /**
   * Creates the tool or replaces the one of that name, a built-in too.
   * Throws `VALIDATION` if the name is invalid, reserved or that of a remote tool, if there are `maxTools` already, or if the tools
   * are too long together.
   */
  register(tool: ToolRegistration): Promise<StoredTool>;
  /**
   * Puts and removes tools of a remote server in one batch, together with documents of the caller.
   * Throws `VALIDATION` if a name belongs to another tool, or if there would be more than `maxTools`.
   * @param besides reads and builds the caller's writes, in each attempt again; undefined makes no change at all
   * @returns false if `besides` returned undefined
   */
  changeRemoteTools(server: string, change: RemoteToolChange, besides: Besides): Promise<boolean>;
  /** False if there is no such tool. */
  remove(name: string): Promise<boolean>;
  /**
   * Removes all tools, built-ins too, including those that this process does not have. A tool that is registered at the same
   * time is either removed as well or still there afterwards.
   * @returns how many of the removed tools were visible to this process
   */
  clear(): Promise<number>;
  /** Adds the missing built-ins again and returns their names. A built-in that a caller replaced is not missing. */
  restoreBuiltins(): Promise<string[]>;
}

/** A change of the tools of one remote server. */
export interface RemoteToolChange {
  /** Tools to add or replace, whose implementation names the server. */
  readonly put: readonly ToolRegistration[];
  /** Names of tools to remove. Those that are not of the server stay. */
  readonly remove: readonly string[];
}

type Besides = () => Promise<readonly DocumentWrite[] | undefined>;

/** Throws an `Error` when two built-ins have one name. */
export function createToolRegistry(options: ToolRegistryOptions): ToolRegistry {
  const { builtins, maxTools, now = Date.now } = options;
  const documents = createRegistryDocuments(options.documents);
  const builtinNames = builtins.map((builtin) => builtin.name);
  if (new Set(builtinNames).size < builtinNames.length) throw new Error('Two built-in tools have one name');

  const isVisible = ({ value: { name, implementation } }: StoredDocument<StoredTool>): boolean =>
    implementation.kind !== 'builtin' || builtinNames.includes(name);
  const timestamp = (): string => new Date(now()).toISOString();

  function toStoredTool(builtin: BuiltinDefinition): StoredTool {
    const { name, description, inputSchema } = builtin;
    return { name, description, inputSchema, implementation: { kind: 'builtin' }, registeredAt: timestamp() };
  }

  async function seed(): Promise<void> {
    await untilNoConflict('the built-in tools', async () => {
      const state = await documents.settledState();
      const tools = await documents.tools(builtinNames);
      const seeded = new Set(state.value.seeded);
      const added = builtins.filter(({ name }) => !seeded.has(name) && !tools.has(name));
      const changed = builtins.flatMap((builtin) => withCurrentDefinition(builtin, tools.get(builtin.name)));
      const nextState = {
        ...state.value,
        count: state.value.count + added.length,
        seeded: [...new Set([...state.value.seeded, ...builtinNames])],
      };
      // On most starts everything is up to date, and nothing is written.
      if (changed.length === 0 && isDeepStrictEqual(nextState, state.value)) return;
      const written = await documents.write([
        ...added.map((builtin) => putTool(toStoredTool(builtin), 0)),
        ...changed.map(({ tool, version }) => putTool(tool, version)),
        putState(nextState, state.version),
      ]);
      return written ? undefined : CONFLICT;
    });
  }

  async function register(registration: ToolRegistration): Promise<StoredTool> {
    const { name } = registration;
    checkName(name);
    // Those of remote tools are made so where they are listed.
    const tool = toStored(withNumericSchemas(registration), timestamp());
    return untilNoConflict('the tool registry', async () => {
      // The state is read first, because a tool that is added or removed after this read changes the state's version.
      const state = await documents.settledState();
      const stored = await documents.tool(name);
      const replaced = stored?.value.implementation;
      if (replaced?.kind === 'mcp') throw belongsToServer(name, replaced.server);
      if (stored === undefined && state.value.count >= maxTools) throw tooManyTools(maxTools);
      const grown = listedLength(tool) - listedLength(stored?.value);
      const length = nextLength(state.value, grown);
      if (grown > 0 && length > maxTotalLength(maxTools)) throw tooLongTogether(maxTools);
      const count = state.value.count + (stored === undefined ? 1 : 0);
      // Every change gives the state a new version, by which processes notice that a list they keep is old.
      const written = await documents.write([
        putTool(tool, stored?.version ?? 0),
        putState({ ...state.value, count, length }, state.version),
      ]);
      return written ? tool : CONFLICT;
    });
  }

  async function changeRemoteTools(
    server: string,
    { put, remove: removed }: RemoteToolChange,
    besides: Besides,
  ): Promise<boolean> {
    for (const { name } of put) checkName(name);
    const isOwn = ({ value: { implementation } }: StoredDocument<StoredTool>): boolean =>
      implementation.kind === 'mcp' && implementation.server === server;
    const isForeign = (tool: StoredDocument<StoredTool> | undefined): boolean =>
      tool !== undefined && !isOwn(tool);
    return untilNoConflict('the tool registry', async () => {
      const state = await documents.settledState();
      const besideWrite = await besides();
      if (besideWrite === undefined) return false;
      const stored = await documents.tools([...put.map(({ name }) => name), ...removed]);
      const foreign = put.find(({ name }) => isForeign(stored.get(name)));
      if (foreign !== undefined) throw nameIsTaken(foreign.name);
      const putNames = new Set(put.map(({ name }) => name));
      const gone = removed.flatMap((name) => stored.get(name) ?? []).filter(isOwn);
      const deleted = gone.filter(({ key }) => !putNames.has(key));
      const added = put.filter(({ name }) => !stored.has(name)).length;
      const count = state.value.count + added - deleted.length;
      if (added > 0 && count > maxTools) throw tooManyTools(maxTools);
      const written = await documents.write([
        ...put.map((tool) => putTool(toStored(tool, timestamp()), stored.get(tool.name)?.version ?? 0)),
        ...deleted.map(({ key, version }) => deleteTool(key, version)),
        putState({ ...state.value, count }, state.version),
        ...besideWrite,
      ]);
      return written ? true : CONFLICT;
    });
  }

  async function remove(name: string): Promise<boolean> {
    if (!isToolName(name)) return false;
    return untilNoConflict('the tool registry', async () => {
      const state = await documents.settledState();
      const stored = await documents.tool(name);
      if (stored === undefined || !isVisible(stored)) return false;
      const length = nextLength(state.value, -listedLength(stored.value));
      const nextState = { ...state.value, count: state.value.count - 1, length };
      const written = await documents.write([
        deleteTool(name, stored.version),
        putState(nextState, state.version),
      ]);
      return written ? true : CONFLICT;
    });
  }

  async function clear(): Promise<number> {
    return untilNoConflict('the tool registry', async () => {
      const state = await documents.settledState();
      const tools = await documents.allTools();
      if (tools.length === 0) return 0;
      // `seeded` stays as it is, so that the next start knows that the built-ins were removed.
      const written = await documents.write([
        ...tools.map(({ key, version }) => deleteTool(key, version)),
        putState({ ...state.value, count: 0, length: 0 }, state.version),
      ]);
      return written ? tools.filter(isVisible).length : CONFLICT;
    });
  }

  async function restoreBuiltins(): Promise<string[]> {
    return untilNoConflict('the tool registry', async () => {
      const state = await documents.settledState();
      const tools = await documents.tools(builtinNames);
      const missing = builtins.filter(({ name }) => !tools.has(name));
      if (missing.length === 0) return [];
      const nextState: RegistryState = {
        ...state.value,
        count: state.value.count + missing.length,
        seeded: [...new Set([...state.value.seeded, ...missing.map(({ name }) => name)])],
      };
      const written = await documents.write([
        ...missing.map((builtin) => putTool(toStoredTool(builtin), 0)),
        putState(nextState, state.version),
      ]);
      return written ? missing.map(({ name }) => name).sort() : CONFLICT;
    });
  }

  const list = createKeptList<ToolDescription>({
    version: async () => (await documents.state()).version,
    settledVersion: async () => (await documents.settledState()).version,
    async read() {
      return (await documents.allTools()).filter(isVisible).map(({ value }) => {
        const planned = waitsWhenPlanned(value) ? { plannedApproval: true } : {};
        return { ...describe(value), ...callMarks(value), ...planned };
      });
    },
  });

  return {
    seed,
    register,
    changeRemoteTools,
    remove,
    clear,
    restoreBuiltins,
    get: async (name) => {
      const tool = isToolName(name) ? await documents.tool(name) : undefined;
      return tool !== undefined && isVisible(tool) ? tool.value : undefined;
    },
    getMany: async (names) => {
      const tools = await documents.tools(names.filter(isToolName));
      return new Map([...tools].flatMap(([name, tool]) => (isVisible(tool) ? [[name, tool.value]] : [])));
    },
    list,
    count: async () => (await list()).length,
  };
}

/** The stored tool with the built-in's current definition; empty if the store has that definition already. */
function withCurrentDefinition(
  { description, inputSchema }: BuiltinDefinition,
  stored: StoredDocument<StoredTool> | undefined,
): { tool: StoredTool; version: number }[] {
  if (stored?.value.implementation.kind !== 'builtin') return [];
  const tool = { ...stored.value, description, inputSchema };
  // The tool is compared in its stored form, in which an undefined field is absent.
  const unchanged = isDeepStrictEqual(JSON.parse(JSON.stringify(tool)), stored.value);
  return unchanged ? [] : [{ tool, version: stored.version }];
}

function toStored({ implementation, ...registration }: ToolRegistration, registeredAt: string): StoredTool {
  return { ...describe(registration), implementation, ...callMarks(registration), registeredAt };
}

function describe({
  name,
  description,
  inputSchema,
  outputSchema,
}: Pick<StoredTool, 'name' | 'description' | 'inputSchema' | 'outputSchema'>): ToolDescription {
  return { name, description, inputSchema, outputSchema };
}

/** What lists have of a tool that a caller registered. Tools of remote servers have limits of their own. */
function listedLength(tool: StoredTool | undefined): number {
  const kind = tool?.implementation.kind;
  if (tool === undefined || kind === 'builtin' || kind === 'mcp') return 0;
  return jsonLength([tool.description, tool.inputSchema]);
}

function nextLength({ length = 0 }: RegistryState, grown: number): number {
  return Math.max(0, length + grown);
}

function nameIsTaken(name: string): Error {
  return validationError(
    'name',
    `A tool named "${name}" is registered already; remove it, or give the server another name`,
  );
}

function belongsToServer(name: string, server: string): Error {
  return validationError(
    'name',
    `"${name}" is a tool of the MCP server "${server}"; remove it first, or choose another name`,
  );
}

function isToolName(name: string): boolean {
  return toolNameSchema.safeParse(name).success;
}

function checkName(name: string): void {
  const parsed = toolNameSchema.safeParse(name);
  if (!parsed.success) throw validationError('name', parsed.error.issues[0]?.message ?? 'Invalid tool name');
  if (isReservedToolName(name)) throw validationError('name', `"${name}" is a reserved name`);
}

function tooManyTools(maxTools: number): Error {
  return validationError(
    'name',
    `There are ${maxTools} tools already, as many as MAX_TOOLS allows; remove one or raise the setting`,
  );
}

function tooLongTogether(maxTools: number): Error {
  return validationError(
    'parameters',
    `The descriptions and parameters of all tools may have ${maxTotalLength(maxTools)} characters of JSON together (${MEAN_LENGTH} for each of MAX_TOOLS); remove one or raise the setting`,
  );
}
