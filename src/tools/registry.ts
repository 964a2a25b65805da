import { isDeepStrictEqual } from 'node:util';
import type { ToolDescription } from '../contracts/http/llm';
import type { StoredTool } from '../contracts/http/tools';
import { validationError } from '../base/errors';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { DocumentStore, StoredDocument } from '../stores/documents';
import { isReservedToolName, toolNameSchema } from './registry-names';
import { createRegistryDocuments, deleteTool, putState, putTool } from './registry-documents';
import type { RegistryState } from './registry-documents';
import type { BuiltinTool } from './tool';

export { RESERVED_TOOL_NAMES, toolNameSchema } from './registry-names';

/** What a caller gives to be registered; the registry adds the time. */
export type ToolRegistration = Omit<StoredTool, 'registeredAt'>;

/** All that the registry needs of a tool that is part of the service. */
export type BuiltinDefinition = Pick<BuiltinTool, 'name' | 'description' | 'parameters'>;

export interface ToolRegistryOptions {
  readonly documents: DocumentStore;
  readonly builtins: readonly BuiltinDefinition[];
  /** Names of built-ins that are switched off: what the store has of them is not there for this process. */
  readonly off?: readonly string[];
  /** Most tools that may be registered. Built-ins are put in also above it. */
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
   * Puts in the built-ins that this data store has never had, and brings the definitions of those it has up to
   * date. One that was removed stays away, and one whose name was registered for another tool is left alone.
   * Every process calls it at its start.
   */
  seed(): Promise<void>;
  get(name: string): Promise<StoredTool | undefined>;
  /** The ones there are, by name. */
  getMany(names: readonly string[]): Promise<Map<string, StoredTool>>;
  /**
   * By name, without what runs them. Kept in memory until any process changes the registry, which one small read
   * tells.
   */
  list(): Promise<readonly ToolDescription[]>;
  /** One read while `list` is kept. */
  count(): Promise<number>;
  /**
   * Creates the tool or replaces the one of that name, a built-in too.
   * Throws `VALIDATION` for a name that is invalid or reserved and for one tool more than `maxTools`.
   */
  register(tool: ToolRegistration): Promise<StoredTool>;
  /** False when there was none. */
  remove(name: string): Promise<boolean>;
  /**
   * Removes all tools, built-ins too, those that are switched off here included; returns how many of those that are there
   * for this process. A tool that is registered at the same time is either
   * among them or still there afterwards.
   */
  clear(): Promise<number>;
  /** Puts the missing built-ins back; returns their names. One that was replaced is not missing. */
  restoreBuiltins(): Promise<string[]>;
}

/** Throws an `Error` when two built-ins have one name. */
export function createToolRegistry(options: ToolRegistryOptions): ToolRegistry {
  const { off = [], maxTools, now = Date.now } = options;
  const builtins = options.builtins.filter(({ name }) => !off.includes(name));
  const documents = createRegistryDocuments(options.documents);
  const builtinNames = builtins.map((builtin) => builtin.name);
  if (new Set(builtinNames).size < builtinNames.length) throw new Error('Two built-in tools have one name');

  const isThere = ({ value: { name, implementation } }: StoredDocument<StoredTool>): boolean =>
    implementation.kind !== 'builtin' || !off.includes(name);
  const timestamp = (): string => new Date(now()).toISOString();

  function asStoredTool(builtin: BuiltinDefinition): StoredTool {
    const { name, description, parameters } = builtin;
    return { name, description, parameters, implementation: { kind: 'builtin' }, registeredAt: timestamp() };
  }

  async function seed(): Promise<void> {
    await untilNoConflict('the built-in tools', async () => {
      const state = await documents.settledState();
      const tools = await documents.tools(builtinNames);
      const seeded = new Set(state.value.seeded);
      const added = builtins.filter(({ name }) => !seeded.has(name) && !tools.has(name));
      const changed = builtins.flatMap((builtin) => refreshed(builtin, tools.get(builtin.name)));
      const nextState = {
        count: state.value.count + added.length,
        seeded: [...new Set([...state.value.seeded, ...builtinNames])],
      };
      // The usual start finds all as it should be, and then writes nothing.
      if (changed.length === 0 && isDeepStrictEqual(nextState, state.value)) return;
      const written = await documents.write([
        ...added.map((builtin) => putTool(asStoredTool(builtin), 0)),
        ...changed.map(({ tool, version }) => putTool(tool, version)),
        putState(nextState, state.version),
      ]);
      return written ? undefined : CONFLICT;
    });
  }

  async function register(registration: ToolRegistration): Promise<StoredTool> {
    const { name, description, parameters, implementation } = registration;
    checkName(name);
    const tool = { name, description, parameters, implementation, registeredAt: timestamp() };
    return untilNoConflict('the tool registry', async () => {
      // The state first: a tool that comes or goes after this read changes its version.
      const state = await documents.settledState();
      const existing = await documents.tool(name);
      if (existing !== undefined) {
        // Every change gives the state a new version, by which kept lists are known to be old.
        const replaced = [putTool(tool, existing.version), putState(state.value, state.version)];
        return (await documents.write(replaced)) ? tool : CONFLICT;
      }
      if (state.value.count >= maxTools) throw full(maxTools);
      const nextState = { ...state.value, count: state.value.count + 1 };
      const written = await documents.write([putTool(tool, 0), putState(nextState, state.version)]);
      return written ? tool : CONFLICT;
    });
  }

  async function remove(name: string): Promise<boolean> {
    if (!isToolName(name)) return false;
    return untilNoConflict('the tool registry', async () => {
      const state = await documents.settledState();
      const existing = await documents.tool(name);
      if (existing === undefined || !isThere(existing)) return false;
      const nextState = { ...state.value, count: state.value.count - 1 };
      const written = await documents.write([
        deleteTool(name, existing.version),
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
      // `seeded` stays as it is: that is how the next start knows that the built-ins were taken away.
      const written = await documents.write([
        ...tools.map(({ key, version }) => deleteTool(key, version)),
        putState({ ...state.value, count: 0 }, state.version),
      ]);
      return written ? tools.filter(isThere).length : CONFLICT;
    });
  }

  async function restoreBuiltins(): Promise<string[]> {
    return untilNoConflict('the tool registry', async () => {
      const state = await documents.settledState();
      const tools = await documents.tools(builtinNames);
      const missing = builtins.filter(({ name }) => !tools.has(name));
      if (missing.length === 0) return [];
      const nextState: RegistryState = {
        count: state.value.count + missing.length,
        seeded: [...new Set([...state.value.seeded, ...missing.map(({ name }) => name)])],
      };
      const written = await documents.write([
        ...missing.map((builtin) => putTool(asStoredTool(builtin), 0)),
        putState(nextState, state.version),
      ]);
      return written ? missing.map(({ name }) => name).sort() : CONFLICT;
    });
  }

  let kept: { readonly version: number; readonly tools: readonly ToolDescription[] } | undefined;

  async function list(): Promise<readonly ToolDescription[]> {
    if (kept?.version === (await documents.state()).version) return kept.tools;
    const { version } = await documents.settledState();
    const tools = (await documents.allTools())
      .filter(isThere)
      .map(({ value: { name, description, parameters } }) => ({ name, description, parameters }));
    // What was read while another process wrote is good for this answer only.
    if ((await documents.settledState()).version === version) kept = { version, tools };
    return tools;
  }

  return {
    seed,
    register,
    remove,
    clear,
    restoreBuiltins,
    get: async (name) => {
      const found = isToolName(name) ? await documents.tool(name) : undefined;
      return found !== undefined && isThere(found) ? found.value : undefined;
    },
    getMany: async (names) => {
      const found = await documents.tools(names.filter(isToolName));
      return new Map([...found].flatMap(([name, tool]) => (isThere(tool) ? [[name, tool.value]] : [])));
    },
    list,
    count: async () => (await list()).length,
  };
}

/** The tool with the built-in's definition of now, when the store has another one of it. */
function refreshed(
  { description, parameters }: BuiltinDefinition,
  stored: StoredDocument<StoredTool> | undefined,
): { tool: StoredTool; version: number }[] {
  if (stored?.value.implementation.kind !== 'builtin') return [];
  const tool = { ...stored.value, description, parameters };
  // Compared as the store has it, where an absent field and an undefined one are the same.
  const unchanged = isDeepStrictEqual(JSON.parse(JSON.stringify(tool)), stored.value);
  return unchanged ? [] : [{ tool, version: stored.version }];
}

function isToolName(name: string): boolean {
  return toolNameSchema.safeParse(name).success;
}

function checkName(name: string): void {
  const parsed = toolNameSchema.safeParse(name);
  if (!parsed.success) throw validationError('name', parsed.error.issues[0]?.message ?? 'Invalid tool name');
  if (isReservedToolName(name)) throw validationError('name', `"${name}" is a reserved name`);
}

function full(maxTools: number): Error {
  return validationError(
    'name',
    `There are ${maxTools} tools already, as many as MAX_TOOLS allows; remove one or raise the setting`,
  );
}
