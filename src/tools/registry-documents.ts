import type { StoredTool } from '../contracts/http/tools';
import { MAX_LIST_LIMIT } from '../stores/documents';
import type { DocumentStore, DocumentWrite, StoredDocument } from '../stores/documents';

const TOOLS = 'tools';
const STATE = 'tool-registry';
const STATE_KEY = 'state';

/**
 * Written in the same batch as every tool that comes or goes, on the version that was read: so `count` is
 * always the number of tool documents, and coming and going have one order. Never deleted, hence its version
 * never repeats.
 */
export interface RegistryState {
  readonly count: number;
  /** Built-ins that were put in once. One of them without a tool document was removed by somebody. */
  readonly seeded: readonly string[];
}

interface VersionedState {
  readonly value: RegistryState;
  /** 0 before the first write. */
  readonly version: number;
}

const NO_STATE: VersionedState = { value: { count: 0, seeded: [] }, version: 0 };

/** Where and how the registry keeps its documents. */
export interface RegistryDocuments {
  /** The last one that any process wrote; the tools of its batch may be about to come or go. */
  state(): Promise<VersionedState>;
  /** With every change of tools up to it made, so that whatever is read afterwards is as new. */
  settledState(): Promise<VersionedState>;
  tool(name: string): Promise<StoredDocument<StoredTool> | undefined>;
  tools(names: readonly string[]): Promise<Map<string, StoredDocument<StoredTool>>>;
  /** By name. A snapshot only if the settled state has the same version before and after. */
  allTools(): Promise<StoredDocument<StoredTool>[]>;
  write(writes: readonly DocumentWrite[]): Promise<boolean>;
}

export function createRegistryDocuments(documents: DocumentStore): RegistryDocuments {
  return {
    state: async () => (await documents.get<RegistryState>(STATE, STATE_KEY)) ?? NO_STATE,
    settledState: async () =>
      (await documents.getMany<RegistryState>(STATE, [STATE_KEY])).get(STATE_KEY) ?? NO_STATE,
    tool: (name) => documents.get(TOOLS, name),
    tools: (names) => documents.getEach(TOOLS, names),
    allTools: async () => {
      const tools: StoredDocument<StoredTool>[] = [];
      for (;;) {
        const page = await documents.list<StoredTool>(TOOLS, { after: tools.at(-1)?.key });
        tools.push(...page);
        if (page.length < MAX_LIST_LIMIT) return tools;
      }
    },
    write: (writes) => documents.write(writes),
  };
}

export function putTool(tool: StoredTool, ifVersion: number): DocumentWrite {
  return { type: 'put', collection: TOOLS, key: tool.name, value: tool, ifVersion };
}

export function deleteTool(name: string, ifVersion: number): DocumentWrite {
  return { type: 'delete', collection: TOOLS, key: name, ifVersion };
}

export function putState(state: RegistryState, ifVersion: number): DocumentWrite {
  return { type: 'put', collection: STATE, key: STATE_KEY, value: state, ifVersion };
}
