import type { JsonSchema, StoredTool, ToolParameters } from '../contracts/http/tools';
import { parametersOf, saysWhatElse, schemaOf, toInputSchema } from '../contracts/http/tool-schemas';
import type { DocumentWrite, StoredDocument, TenantDocuments } from '../stores/documents';
import { pagesUnder } from '../stores/list-under';

const TOOLS = 'tools';
const STATE = 'tool-registry';
const STATE_KEY = 'state';

/**
 * The registry writes this document in the same batch as every tool that is added or removed, on condition of the
 * version that it has read. So `count` always equals the number of tool documents, and all changes have one order. The
 * document is never deleted, so its versions never repeat.
 */
export interface RegistryState {
  readonly count: number;
  /**
   * The length of what lists have of the tools that callers registered, characters of JSON; tools that an earlier build stored
   * are not counted.
   */
  readonly length?: number;
  /** Names of all built-ins that were ever added. If one of them has no tool document, a caller removed it. */
  readonly seeded: readonly string[];
}

interface VersionedState {
  readonly value: RegistryState;
  /** 0 before the first write. */
  readonly version: number;
}

const NO_STATE: VersionedState = { value: { count: 0, seeded: [] }, version: 0 };

/** Reads and writes the documents of the registry. */
export interface RegistryDocuments {
  /** The state that a process wrote last; the tools of its batch may not be visible yet. */
  state(): Promise<VersionedState>;
  /** The state once all changes of tools up to it are visible, so that later reads are at least as new. */
  settledState(): Promise<VersionedState>;
  tool(name: string): Promise<StoredDocument<StoredTool> | undefined>;
  tools(names: readonly string[]): Promise<Map<string, StoredDocument<StoredTool>>>;
  /**
   * All tools, ordered by name. They are a snapshot only if the settled state has the same version before and after.
   */
  allTools(): Promise<StoredDocument<StoredTool>[]>;
  write(writes: readonly DocumentWrite[]): Promise<boolean>;
}

export function createRegistryDocuments(documents: TenantDocuments): RegistryDocuments {
  return {
    state: async () => (await documents.get<RegistryState>(STATE, STATE_KEY)) ?? NO_STATE,
    settledState: async () =>
      (await documents.getMany<RegistryState>(STATE, [STATE_KEY])).get(STATE_KEY) ?? NO_STATE,
    tool: async (name) => {
      const keptTool = await documents.get<KeptTool>(TOOLS, name);
      return keptTool && readTool(keptTool);
    },
    tools: async (names) => {
      const keptTools = await documents.getEach<KeptTool>(TOOLS, names);
      return new Map([...keptTools].map(([name, tool]) => [name, readTool(tool)]));
    },
    allTools: async () => {
      const tools: StoredDocument<StoredTool>[] = [];
      for await (const page of pagesUnder<KeptTool>(documents, TOOLS, '')) tools.push(...page.map(readTool));
      return tools;
    },
    write: (writes) => documents.write(writes),
  };
}

/** A tool as a build has stored it. Earlier ones stored parameters, and a schema with those of remote tools alone. */
type KeptTool = Omit<StoredTool, 'inputSchema'> & {
  readonly inputSchema?: JsonSchema;
  readonly parameters?: ToolParameters;
};

function readTool({ value, ...document }: StoredDocument<KeptTool>): StoredDocument<StoredTool> {
  const { parameters: _, ...tool } = value;
  return { ...document, value: { ...tool, inputSchema: schemaOf(value) ?? toInputSchema({}) } };
}

/** Processes of the build before run beside those of this one while it is rolled out, and read parameters alone. */
export function putTool(tool: StoredTool, ifVersion: number): DocumentWrite {
  const { inputSchema } = tool;
  const parameters = saysWhatElse(inputSchema) ? {} : parametersOf(inputSchema);
  const value: KeptTool = { ...tool, parameters };
  return { type: 'put', collection: TOOLS, key: tool.name, value, ifVersion };
}

export function deleteTool(name: string, ifVersion: number): DocumentWrite {
  return { type: 'delete', collection: TOOLS, key: name, ifVersion };
}

export function putState(state: RegistryState, ifVersion: number): DocumentWrite {
  return { type: 'put', collection: STATE, key: STATE_KEY, value: state, ifVersion };
}
