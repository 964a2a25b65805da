import { createDocumentStore } from '../../../src/factories/create-stores';
import { toInputSchema } from '../../../src/contracts/http/tool-schemas';
import type { DocumentStore } from '../../../src/stores/documents';
import type { BuiltinDefinition, ToolRegistration } from '../../../src/tools/registry';
import { temporaryFolder } from '../../contract/support/temporary-folder';

export const NOW = Date.parse('2026-01-02T03:04:05.678Z');

/** Stores on one file, for tests that need more than one. */
export interface TestStores {
  readonly path: string;
  connect(): DocumentStore;
  dispose(): Promise<void>;
}

export function testStores(): TestStores {
  const folder = temporaryFolder();
  const path = folder.file('data.db');
  const stores: DocumentStore[] = [];
  return {
    path,
    connect: () => {
      const store = createDocumentStore({ path, busyTimeoutMs: 5_000 });
      stores.push(store);
      return store;
    },
    dispose: async () => {
      for (const store of stores) await store.close();
      folder.remove();
    },
  };
}

export function builtin(name: string, description = `The tool ${name}`): BuiltinDefinition {
  return {
    name,
    description,
    inputSchema: toInputSchema({ a: { type: 'number', description: 'A number', required: true } }),
  };
}

export function registration(name: string, source = '() => 1'): ToolRegistration {
  return {
    name,
    description: `Registered ${name}`,
    inputSchema: toInputSchema({
      text: { type: 'string', description: '', enum: ['x', 'y'], required: false },
    }),
    implementation: { kind: 'source', source },
  };
}
