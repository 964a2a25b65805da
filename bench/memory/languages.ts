import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSqliteMemoryGraph } from '../../src/stores/sqlite/memory';
import { MemoryStatements } from '../../src/stores/sqlite/memory/memory-statements';
import { MEMORY_MIGRATIONS, prepareConnection } from '../../src/stores/sqlite/memory/schema';
import { SqliteFile } from '../../src/stores/sqlite/sqlite-file';
import { percentile } from '../statistics';
import { makeBenchFolder } from '../unwinding';
import { generatedMemory, generatedQuestion, randomNumbers } from './generated';

const MEMORIES = 5_000;
const BATCH = 250;
const ROUNDS = 5;
const SEARCHES = 200;
/** The number of the first query, above the numbers of all memories. */
const FIRST_QUERY = 10_000_000;
/** Chinese says in about 45 characters what English says in 30 words. */
const HAN_A_TEXT = 45;
const HAN_A_QUESTION = 6;
const COMMON_HAN = 3_000;
const FIRST_HAN = 0x4e00;
const THAI = (
  'ฉัน ชอบ ดื่ม ชา เขียว ทุก เช้า ที่ ร้าน กาแฟ ใกล้ บ้าน ของ แม่ ใน ตลาด เพื่อน ทำงาน โรงเรียน อาหาร ภาษา ไทย เดินทาง ' +
  'รถไฟ ทะเล ภูเขา หนังสือ ดนตรี ฝน แดด น้ำ ปลา ไก่ ข้าว ผลไม้ ดอกไม้ ครู หมอ ตำรวจ ถนน สะพาน วัด พระ เมือง หมู่บ้าน จังหวัด'
).split(' ');

type Texts = 'English' | 'Chinese' | 'Thai' | 'English beside both';

interface Language {
  readonly text: (number: number) => string;
  readonly question: (number: number) => string;
}

const LANGUAGES: Readonly<Record<Exclude<Texts, 'English beside both'>, Language>> = {
  English: {
    text: (number) => generatedMemory(number, 1).text,
    question: generatedQuestion,
  },
  Chinese: {
    text: (number) => pick(number, HAN_A_TEXT, toHan),
    question: (number) => pick(number, HAN_A_QUESTION, toHan),
  },
  Thai: { text: (number) => pick(number, 30, toThai), question: (number) => pick(number, 5, toThai) },
};

function pick(number: number, count: number, toText: (share: number) => string): string {
  const next = randomNumbers(number + 0x5eed);
  return Array.from({ length: count }, () => toText(next())).join('');
}

/** A few characters are frequent and most are rare, as in a natural text. */
function toHan(share: number): string {
  return String.fromCharCode(FIRST_HAN + Math.floor(COMMON_HAN ** share));
}

function toThai(share: number): string {
  return THAI[Math.floor(share * THAI.length)] ?? '';
}

export interface LanguageReport {
  readonly texts: Texts;
  /** CPU time of an insert without its commit, µs. */
  readonly insert: number;
  /** CPU time of a search by words, µs, and the median of its duration, ms. */
  readonly searchCpu: number;
  readonly search: number;
  /** Bytes of the file for each memory. */
  readonly bytes: number;
}

/** Measures what words of scripts without spaces cost the embedded store, in turn with English, in one run. */
export async function benchLanguages(): Promise<LanguageReport[]> {
  const rounds: LanguageReport[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const reports: LanguageReport[] = [];
    for (const texts of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) {
      reports.push(await measure(texts, LANGUAGES[texts], [LANGUAGES[texts]]));
    }
    const { English, Chinese, Thai } = LANGUAGES;
    reports.push(await measure('English beside both', English, [English, Chinese, Thai]));
    rounds.push(reports);
  }
  return (rounds[0] ?? []).map(({ texts }, index) => {
    const median = (field: Exclude<keyof LanguageReport, 'texts'>): number =>
      percentile(
        rounds.map((reports) => reports[index]?.[field] ?? 0),
        0.5,
      );
    return {
      texts,
      insert: median('insert'),
      searchCpu: median('searchCpu'),
      search: median('search'),
      bytes: median('bytes'),
    };
  });
}

/** @param stored the languages of the memories, in turn */
async function measure(texts: Texts, asked: Language, stored: readonly Language[]): Promise<LanguageReport> {
  const folder = makeBenchFolder();
  const path = join(folder, 'memory.db');
  try {
    const { insert, bytes } = await fill(path, stored);
    const graph = createSqliteMemoryGraph({ path });
    const samples: number[] = [];
    const search = (index: number) =>
      graph.searchText({
        userId: 'user-0',
        kind: 'episodic',
        text: asked.question(FIRST_QUERY + index),
        limit: 10,
      });
    await search(0);
    const before = process.cpuUsage();
    for (let index = 0; index < SEARCHES; index += 1) {
      const started = performance.now();
      await search(index);
      samples.push(performance.now() - started);
    }
    const searchCpu = microseconds(before) / SEARCHES;
    await graph.close();
    return { texts, insert, bytes, searchCpu, search: percentile(samples, 0.5) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(path: string, stored: readonly Language[]): Promise<{ insert: number; bytes: number }> {
  const file = new SqliteFile({
    path,
    busyTimeoutMs: 1_000,
    migrations: MEMORY_MIGRATIONS,
    onOpen: prepareConnection,
    prepare: (database) => new MemoryStatements(database, { vectorsElsewhere: false }),
  });
  let spent = 0;
  const insertBatch = (statements: MemoryStatements, first: number): void => {
    const nodes = Array.from({ length: BATCH }, (_, at) => {
      const text = stored[(first + at) % stored.length]?.text(first + at) ?? '';
      return { ...generatedMemory(first + at, 1), text, body: {} };
    });
    const before = process.cpuUsage();
    for (const node of nodes) statements.insert({ node, vector: null }, {});
    spent += microseconds(before);
  };
  for (let first = 0; first < MEMORIES; first += BATCH) {
    await file.write(
      (statements, database) => database.transaction(() => insertBatch(statements, first))(),
      'NORMAL',
    );
  }
  await file.write((_, database) => database.pragma('wal_checkpoint(TRUNCATE)'));
  file.close();
  return { insert: spent / MEMORIES, bytes: statSync(path).size / MEMORIES };
}

function microseconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export function printLanguages(reports: readonly LanguageReport[]): void {
  const [english] = reports;
  const cell = (value: number, base = 1, digits = 0): string =>
    `${value.toFixed(digits)} (${(value / base).toFixed(2)})`;
  console.log(`\n${MEMORIES} memories of one user; in brackets the ratio to English\n`);
  console.log('| texts | insert, CPU µs | search, CPU µs | search p50 ms | bytes a memory |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const { texts, insert, searchCpu, search, bytes } of reports) {
    const cells = [
      cell(insert, english?.insert),
      cell(searchCpu, english?.searchCpu),
      cell(search, english?.search, 2),
      cell(bytes, english?.bytes),
    ];
    console.log(`| ${texts} | ${cells.join(' | ')} |`);
  }
}
