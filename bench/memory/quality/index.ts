import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ulid } from 'ulid';
import type { Embedder } from '../../../src/embeddings/embedder';
import { createLexicalEmbedder } from '../../../src/embeddings/lexical/lexical-embedder';
import { createMemorySearch } from '../../../src/memory/search/search';
import { createOpenSpaces } from '../../../src/memory/vectors/vector-spaces';
import type { MemoryGraph } from '../../../src/stores/memory/memory-graph';
import { createSqliteMemoryGraph } from '../../../src/stores/sqlite/memory';
import { realModel } from '../../../test/support/embedding-models';
import { transformersOf } from '../../../test/support/transformers';
import { conversations, type QualityQuestion, questions } from './conversations';
import { makeBenchFolder } from '../../unwinding';

const MODEL = 'all-MiniLM-L6-v2';
const LIMIT = 10;
const START = 1_700_000_000_000;
const WAYS = ['words', 'vectors', 'hybrid', 'hybrid by relevance'] as const;

/** The quality of the first ten hits. */
export interface Quality {
  /** The share of the evidence among the first ten hits, 0 to 1, as the mean over questions. */
  readonly recall: number;
  /** The reciprocal rank of the first hit that is evidence, 0 if none of the ten is, as the mean over questions. */
  readonly mrr: number;
}

export interface QualityReport {
  readonly embedder: string;
  readonly way: (typeof WAYS)[number];
  /** Every other question. A developer who tunes the search may use these. */
  readonly development: Qualities;
  /** The other questions, which are never used for tuning. */
  readonly heldOut: Qualities;
}

interface Qualities {
  readonly paraphrased: Quality;
  readonly named: Quality;
}

/** Measures how well the search finds the memories that answer a question, by words, by vectors and by both. */
export async function benchQuality(): Promise<QualityReport[]> {
  const reports = await measureQuality('lexical', createLexicalEmbedder(768));
  const folder = realModel(MODEL);
  if (folder === undefined) return reports;
  return [...reports, ...(await measureQuality(MODEL, transformersOf(folder, { dimensions: 384 })))];
}

export function printQuality(reports: readonly QualityReport[]): void {
  const turns = conversations.reduce((sum, each) => sum + each.turns.length, 0);
  console.log(`\n${conversations.length} conversations, ${turns} turns, ${questions.length} questions\n`);
  for (const half of ['development', 'heldOut'] as const) {
    console.log(`\nQuestions ${half === 'heldOut' ? 'held out' : 'for development'}: recall@10 / MRR\n`);
    console.log('| embedder | found by | in other words | by name |\n| --- | --- | ---: | ---: |');
    for (const { embedder, way, [half]: qualities } of reports) {
      const cells = [qualities.paraphrased, qualities.named].map(
        ({ recall, mrr }) => `${recall.toFixed(3)} / ${mrr.toFixed(3)}`,
      );
      console.log(`| ${[embedder, way, ...cells].join(' | ')} |`);
    }
  }
}

async function measureQuality(name: string, embedder: Embedder): Promise<QualityReport[]> {
  const folder = makeBenchFolder();
  const graph = createSqliteMemoryGraph({ path: join(folder, 'memory.db') });
  try {
    const { id: spaceId } = await graph.pinVectorSpace(spaceName(embedder), embedder.identity.dimensions);
    const evidence = await remember(graph, embedder, spaceId);
    const spaces = createOpenSpaces(graph, {
      choose: () => Promise.resolve(embedder),
      find: () => embedder,
    });
    const search = createMemorySearch({ graph, spaces, index: undefined, now: Date.now });
    const finders: Record<QualityReport['way'], (question: QualityQuestion) => Promise<string[]>> = {
      words: async ({ text, ...question }) =>
        (await graph.searchText({ ...scopeOf(question), text })).map(({ id }) => id),
      vectors: async ({ text, ...question }) => {
        const [vector = new Float32Array()] = await embedder.embed([text]);
        return (await graph.searchVectors({ ...scopeOf(question), spaceId, vector })).map(({ id }) => id);
      },
      hybrid: async ({ text, ...question }) =>
        (await search.hybrid({ ...scopeOf(question), text, threshold: 0 })).map(({ node }) => node.id),
      'hybrid by relevance': async ({ text, ...question }) =>
        (await search.hybrid({ ...scopeOf(question), text, threshold: 0, order: 'relevance' })).map(
          ({ node }) => node.id,
        ),
    };
    const reports: QualityReport[] = [];
    for (const way of WAYS) {
      const judged: Judged[] = [];
      for (const question of questions) {
        judged.push({ ...question, ...judge(await finders[way](question), evidence(question)) });
      }
      reports.push({ embedder: name, way, development: half(judged, 0), heldOut: half(judged, 1) });
    }
    return reports;
  } finally {
    await embedder.close();
    await graph.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function spaceName({ identity }: Embedder): string {
  return `${identity.provider}:${identity.model}`;
}

function scopeOf({ userId }: Pick<QualityQuestion, 'userId'>) {
  return { userId, kind: 'episodic' as const, limit: LIMIT };
}

/** Stores each turn as a memory. Returns a function that gives the ids of the memories that answer a question. */
async function remember(
  graph: MemoryGraph,
  embedder: Embedder,
  spaceId: number,
): Promise<(question: QualityQuestion) => string[]> {
  const ids = new Map<string, string>();
  const placeOf = (userId: string, session: string, turn: number): string => `${userId}/${session}/${turn}`;
  for (const { userId, session, turns } of conversations) {
    const vectors = await embedder.embed(turns);
    for (const [turn, text] of turns.entries()) {
      const timestamp = START + ids.size * 60_000;
      const id = ulid(timestamp);
      ids.set(placeOf(userId, session, turn), id);
      const node = {
        ...{
          id,
          kind: 'episodic' as const,
          userId,
          sessionId: session,
          timestamp,
          text,
          storedAt: timestamp,
        },
        ...{ labels: [], weight: 0.5, body: { content: text } },
      };
      await graph.insert({ node, vector: { spaceId, values: vectors[turn] as Float32Array } });
    }
  }
  return ({ userId, session, evidence }) =>
    evidence.map((turn) => {
      const id = ids.get(placeOf(userId, session, turn));
      if (id === undefined) throw new Error(`${session} of ${userId} has no turn ${turn}`);
      return id;
    });
}

function judge(found: readonly string[], evidence: readonly string[]): Quality {
  const first = found.findIndex((id) => evidence.includes(id));
  return {
    recall: evidence.filter((id) => found.includes(id)).length / evidence.length,
    mrr: first === -1 ? 0 : 1 / (first + 1),
  };
}

type Judged = QualityQuestion & Quality;

/** The quality for the questions at even or at odd places, by kind of question. */
function half(judged: readonly Judged[], remainder: 0 | 1): Qualities {
  const of = (isNamed: boolean): Quality =>
    mean(judged.filter((each) => each.isNamed === isNamed).filter((_, at) => at % 2 === remainder));
  return { paraphrased: of(false), named: of(true) };
}

function mean(qualities: readonly Quality[]): Quality {
  const of = (figure: keyof Quality): number =>
    qualities.reduce((sum, quality) => sum + quality[figure], 0) / qualities.length;
  return { recall: of('recall'), mrr: of('mrr') };
}
