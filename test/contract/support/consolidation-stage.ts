import type { SaidFact } from '../../../src/contracts/facts';
import { CONVERSATION_TAG } from '../../../src/contracts/http/conversations';
import type { ConsolidationPlan } from '../../../src/contracts/runs/consolidation';
import { createLexicalEmbedder } from '../../../src/embeddings/lexical/lexical-embedder';
import { newId } from '../../../src/base/ids';
import { createFactLog, type FactLog } from '../../../src/memory/facts/fact-log';
import { createFacts, type Facts } from '../../../src/memory/facts/facts';
import { toEpisodicNode } from '../../../src/memory/nodes/episodic-node';
import type { NewEpisodic } from '../../../src/memory/nodes/memory-inputs';
import { createNodeAccess } from '../../../src/memory/nodes/node-access';
import { createMemoryArchive, type MemoryArchive } from '../../../src/memory/upkeep/archive';
import { createConsolidations, type Consolidations } from '../../../src/memory/upkeep/consolidations';
import { createOpenSpaces } from '../../../src/memory/vectors/vector-spaces';
import { createPseudonyms } from '../../../src/secrets/pseudonyms';
import { createSecretBox, KEY_BYTES } from '../../../src/secrets/secret-box';
import type { DocumentStore } from '../../../src/stores/documents';
import type { MemoryGraph, UserMemories } from '../../../src/stores/memory/memory-graph';
import type { MemoryNode } from '../../../src/stores/memory/node';

export const START = Date.parse('2026-01-02T03:04:05.678Z');
const DAY_MS = 86_400_000;
const KEY = Buffer.alloc(KEY_BYTES, 7);
const embedder = createLexicalEmbedder(64);

/** A rule that knows two sentences, which say the same. */
export const RULES = {
  readFacts(text: string): SaidFact[] {
    const value = /^(?:I live in|My home is in) (\w+)\.$/.exec(text)?.[1];
    if (value === undefined) return [];
    const fact = { subject: 'user', attribute: 'home', value, change: 'holds', single: true } as const;
    return [{ ...fact, start: 0, end: text.length }];
  },
};

/** Empty stores of memories and documents. */
export interface OpenedStores {
  readonly graph: MemoryGraph;
  readonly documents: DocumentStore;
  dispose(): Promise<void>;
}

/** Consolidations with all that they need, and a clock that a test sets. */
export interface ConsolidationStage {
  readonly graph: UserMemories;
  readonly documents: DocumentStore;
  readonly facts: Facts;
  readonly log: FactLog;
  readonly archive: MemoryArchive;
  readonly consolidations: Consolidations;
  /** Milliseconds after the start. */
  clock: number;
  /** Consolidations on a graph that differs in some methods. */
  with(changed: Partial<UserMemories>): Consolidations;
  /** Stores an event a second after the one before, and draws its facts. */
  say(content: string, more?: Partial<NewEpisodic>): Promise<MemoryNode>;
  /** Stores a message of a conversation. */
  chat(content: string, source?: 'user' | 'assistant'): Promise<MemoryNode>;
  plan(longSession?: number): Promise<ConsolidationPlan>;
  /** Plans a consolidation and executes all of it. @returns its plan */
  consolidate(consolidationId: string, longSession?: number): Promise<ConsolidationPlan>;
  /** Undoes a consolidation whole. @returns how many memories were restored */
  undo(consolidationId: string): Promise<number>;
  /** All memories of the user with their places in sessions, from the oldest on. */
  memories(): Promise<object[]>;
}

export const USER = 'ada';

export function openConsolidationStage(graph: MemoryGraph, documents: DocumentStore): ConsolidationStage {
  const pseudonyms = createPseudonyms(KEY);
  const secrets = createSecretBox(KEY);
  const spaces = createOpenSpaces(graph, {
    choose: () => Promise.resolve(embedder),
    find: () => embedder,
  });
  const now = (): number => START + stage.clock;
  const log = createFactLog({ documents, secrets, pseudonym: (userId) => pseudonyms('facts', userId) });
  const facts = createFacts({ log, rules: RULES, newId, now });
  const archive = createMemoryArchive({
    documents,
    secrets,
    pseudonym: (userId) => pseudonyms('archived-memories', userId),
    now,
  });
  const shared = { facts, archive, spaces, hasSemantic: true, newId, now };
  const nodes = createNodeAccess('episodic', { graph, spaces });

  const stage: ConsolidationStage = {
    graph,
    documents,
    facts,
    log,
    archive,
    consolidations: createConsolidations({ graph, ...shared }),
    clock: 0,
    with: (changed) =>
      createConsolidations({
        ...shared,
        graph: new Proxy(graph, {
          get(target, name: keyof MemoryGraph) {
            const method = target[name].bind(target) as unknown;
            return (changed as Partial<MemoryGraph>)[name] ?? method;
          },
        }),
      }),
    async say(content, more = {}) {
      stage.clock += 1_000;
      const identity = { id: newId(), timestamp: now() };
      const node = toEpisodicNode({ userId: USER, sessionId: 'monday', content, ...more }, identity);
      const stored = await nodes.insert({ node });
      const source = { memoryId: node.id, at: node.timestamp };
      if (more.metadata?.source !== 'assistant') await facts.draw({ userId: USER, text: content, ...source });
      return stored;
    },
    chat: (content, source = 'user') =>
      stage.say(content, { context: { turn: newId() }, metadata: { source, tags: [CONVERSATION_TAG] } }),
    plan: (longSession = 1_000) => stage.consolidations.plan(USER, { before: now(), longSession }),
    async consolidate(consolidationId, longSession) {
      const name = { userId: USER, consolidationId };
      const plan = await stage.plan(longSession);
      const archived = await stage.consolidations.archive({ ...name, memories: plan.archive, start: 0 });
      await stage.consolidations.summarise({ ...name, summaries: plan.summaries });
      await stage.consolidations.finish(name, archived);
      expect(archived).toBe(plan.archive.length);
      return plan;
    },
    async undo(consolidationId) {
      const name = { userId: USER, consolidationId };
      await stage.consolidations.checkUndoable(name);
      let all = 0;
      for (;;) {
        const { restored, done } = await stage.consolidations.undo(name);
        all += restored;
        if (done) return all;
      }
    },
    async memories() {
      const found: object[] = [];
      for (const kind of ['episodic', 'semantic'] as const)
        for (const { revision: _revision, ...node } of await graph.list({
          userId: USER,
          kind,
          order: 'oldest-first',
          limit: 1_000,
        }))
          found.push({ ...node, related: await graph.related(node.id) });
      return found;
    },
  };
  return stage;
}

export function afterDays(stage: ConsolidationStage, days: number): void {
  stage.clock += days * DAY_MS;
}
