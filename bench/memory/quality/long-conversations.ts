import { join } from 'node:path';
import { rmSync } from 'node:fs';
import type { Embedder } from '../../../src/embeddings/embedder';
import { createLexicalEmbedder } from '../../../src/embeddings/lexical/lexical-embedder';
import { newId } from '../../../src/base/ids';
import { createReadCounter } from '../../../src/memory/nodes/read-counter';
import { createMemorySearch } from '../../../src/memory/search/search';
import { createEpisodicMemories } from '../../../src/memory/service/episodic';
import { createMemoryOverview } from '../../../src/memory/service/overview';
import { createOpenSpaces } from '../../../src/memory/vectors/vector-spaces';
import { createSqliteMemoryGraph } from '../../../src/stores/sqlite/memory';
import { realModel } from '../../../test/support/embedding-models';
import { transformersOf } from '../../../test/support/transformers';
import { makeBenchFolder } from '../../unwinding';
import { readConversations, type LongConversation } from './dataset';
import { type Found, judge, summarise, type Summary } from './judging';
import { STOP_WORDS } from '../../../src/embeddings/lexical/stop-words';
import { textWords } from '../../../src/stores/memory/query-words';
import { EPISODIC_SEARCH_THRESHOLD } from '../../../src/memory/search/scoring';

const K1 = 1.2;
const B = 0.75;

const MODEL = 'all-MiniLM-L6-v2';
const LIMIT = 10;

export interface LongConversationsReport {
  readonly conversations: readonly string[];
  readonly ways: readonly { readonly way: string; readonly summary: Summary }[];
  /** Questions for which plain BM25 finds more of the answer than the service, by the service's embedder. */
  readonly missed: readonly { readonly way: string; readonly questions: readonly string[] }[];
}

/**
 * Measures how much of the answers to questions on long conversations the search finds among its first ten, with defaults only,
 * beside plain BM25 over the same texts. Each turn is one memory: its content is speaker and text, its context the date.
 * @param folder conversations as `dataset.ts` reads them
 */
export async function benchLongConversations(folder: string): Promise<LongConversationsReport> {
  const conversations = readConversations(folder);
  const plain = conversations.flatMap((conversation) => {
    const search = createBm25(conversation.turns.map(contentOf));
    return conversation.questions.map((question): Found => ({
      conversation,
      question,
      turns: search(question.q, LIMIT),
    }));
  });
  const ways = [{ way: 'plain BM25', found: plain }];
  ways.push({ way: 'words alone', found: await findAll(conversations, createLexicalEmbedder(768)) });
  const model = realModel(MODEL);
  if (model === undefined) console.error(`HOLDFAST_TEST_MODELS has no ${MODEL}: measured by words alone`);
  else {
    const embedder = transformersOf(model, { dimensions: 384 });
    ways.push({ way: MODEL, found: await findAll(conversations, embedder) });
    await embedder.close();
  }
  return {
    conversations: conversations.map(({ id }) => id),
    ways: ways.map(({ way, found }) => ({ way, summary: summarise(found) })),
    missed: ways.slice(1).map(({ way, found }) => ({ way, questions: findMissed(plain, found) })),
  };
}

export function printLongConversations({ conversations, ways, missed }: LongConversationsReport): void {
  for (const { way, questions } of missed) {
    console.log(`\nPlain BM25 finds more than ${way}, ${questions.length} questions:`);
    for (const question of questions) console.log(`- ${question}`);
  }
  const [plain] = ways;
  const categories = Object.keys(plain?.summary.byCategory ?? {});
  console.log(
    `\n${conversations.join(', ')}: the share of the answering turns among the first ten, and times plain BM25\n`,
  );
  console.log(
    `| found by | recall@10 | hit@10 | MRR | session recall@5 | ${categories.map((each) => `category ${each}`).join(' | ')} |`,
  );
  console.log(`| --- |${' ---: |'.repeat(4 + categories.length)}`);
  for (const { way, summary } of ways) {
    const beside = (value: number, base = 0): string => `${value.toFixed(3)} (${(value / base).toFixed(2)})`;
    const cells = [
      beside(summary.recall, plain?.summary.recall),
      ...[summary.hit, summary.mrr, summary.sessionRecall].map((value) => value.toFixed(3)),
      ...categories.map((each) => beside(summary.byCategory[each] ?? 0, plain?.summary.byCategory[each])),
    ];
    console.log(`| ${[way, ...cells].join(' | ')} |`);
  }
}

function contentOf({ speaker, text }: LongConversation['turns'][number]): string {
  return `${speaker}: ${text}`;
}

async function findAll(conversations: readonly LongConversation[], embedder: Embedder): Promise<Found[]> {
  const folder = makeBenchFolder();
  const graph = createSqliteMemoryGraph({ path: join(folder, 'memory.db') });
  const reads = createReadCounter(graph, (error) => console.error(error));
  try {
    const spaces = createOpenSpaces(graph, { choose: () => Promise.resolve(embedder), find: () => embedder });
    // Only the search is measured.
    const facts = {
      ...{ draw: async () => {}, forget: async () => {} },
      ...{ list: () => Promise.resolve([]), sourceOf: () => Promise.resolve(undefined) },
    };
    const ports = { graph, spaces, reads, facts, newId, now: Date.now };
    const episodic = createEpisodicMemories(ports);
    const search = createMemorySearch({ ...ports, index: undefined });
    const overview = createMemoryOverview({ graph, search, reads, facts });
    const found: Found[] = [];
    for (const conversation of conversations) {
      const userId = conversation.id;
      const turnOf = new Map<string, number>();
      for (const [at, turn] of conversation.turns.entries()) {
        const sessionId = `session ${turn.session}`;
        const { id } = await episodic.create({
          userId,
          sessionId,
          content: contentOf(turn),
          context: { date: turn.date },
        });
        turnOf.set(id, at);
      }
      for (const question of conversation.questions) {
        const query = {
          userId,
          text: question.q,
          limit: LIMIT,
          episodic: { threshold: EPISODIC_SEARCH_THRESHOLD },
        };
        const hits = (await overview.find(query)).episodic;
        found.push({ conversation, question, turns: hits.map(({ id }) => turnOf.get(id) ?? -1) });
      }
    }
    return found;
  } finally {
    await reads.close();
    await graph.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function findMissed(plain: readonly Found[], found: readonly Found[]): string[] {
  return plain.flatMap((each, index) => {
    const other = found[index];
    return other !== undefined && judge(each).recall > judge(other).recall
      ? [`${each.conversation.id}, category ${each.question.category}: ${each.question.q}`]
      : [];
  });
}

interface Text {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/**
 * Plain BM25 over words as they are written, without stop words in the query (Robertson and Zaragoza, "The Probabilistic Relevance
 * Framework", 2009): what a search has to be better than.
 * @returns a function that gives the indexes of the best texts for a query
 */
export function createBm25(texts: readonly string[]): (query: string, limit: number) => number[] {
  const all = texts.map(countWords);
  const averageLength = all.reduce((sum, { length }) => sum + length, 0) / all.length;
  return (query, limit) => {
    const scores = new Map<number, number>();
    for (const word of new Set(textWords(query))) {
      if (STOP_WORDS.has(word)) continue;
      const having = all.filter(({ counts }) => counts.has(word)).length;
      const rarity = Math.log(1 + (all.length - having + 0.5) / (having + 0.5));
      for (const [at, { counts, length }] of all.entries()) {
        const count = counts.get(word) ?? 0;
        if (count === 0) continue;
        const weight = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
        scores.set(at, (scores.get(at) ?? 0) + rarity * weight);
      }
    }
    return [...scores]
      .sort(([atOne, one], [atOther, other]) => other - one || atOne - atOther)
      .slice(0, limit)
      .map(([at]) => at);
  };
}

function countWords(text: string): Text {
  const counts = new Map<string, number>();
  let length = 0;
  for (const word of textWords(text)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    length += 1;
  }
  return { counts, length };
}
