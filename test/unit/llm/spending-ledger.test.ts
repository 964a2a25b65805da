import { randomUUID } from 'node:crypto';
import type { SharedLimit } from '../../../src/contracts/runs/budgets';
import { createDocumentStore } from '../../../src/factories/create-stores';
import {
  createSpendingLedger,
  type SharedRoom,
  type SpendingLedger,
  forgetSpending,
} from '../../../src/llm/spending-ledger';
import type { DocumentStore } from '../../../src/stores/documents';
import { temporaryFolder } from '../../contract/support/temporary-folder';

const NOON = Date.parse('2026-11-24T12:00:00Z');
const DAY_MS = 86_400_000;
const USER: SharedLimit = { user: 'ada', period: 'day', maxTokens: 100 };
const SESSION: SharedLimit = { user: 'ada', session: 's', period: 'day', maxTokens: 60, maxCostUsd: 1 };

let folder: ReturnType<typeof temporaryFolder>;
let documents: DocumentStore;
let ledger: SpendingLedger;
let now: number;

beforeEach(() => {
  folder = temporaryFolder();
  documents = createDocumentStore({ path: folder.file('spending.db') });
  now = NOON;
  ledger = createSpendingLedger({ documents, newId: randomUUID, now: () => now });
});
afterEach(async () => {
  await documents.close();
  folder.remove();
});

/** What is left, without setting anything aside. */
async function left(...limits: SharedLimit[]): Promise<number[]> {
  let seen: readonly SharedRoom[] = [];
  const { settle } = await ledger.reserve(limits, (rooms) => {
    seen = rooms;
    return { tokens: 0, costUsd: 0 };
  });
  await settle({ tokens: 0, costUsd: 0 });
  return seen.map(({ tokens }) => tokens);
}

/** Sets tokens aside if there is room for them. */
const spend = (limit: SharedLimit, tokens: number) =>
  ledger.reserve([limit], ([room]) => {
    if ((room?.tokens ?? 0) < tokens) throw new Error('no room');
    return { tokens, costUsd: 0.1 };
  });

test('what is set aside is not left for others, and what was spent replaces it', async () => {
  const { settle } = await ledger.reserve([USER, SESSION], () => ({ tokens: 50, costUsd: 0.5 }));
  expect(await left(USER, SESSION)).toEqual([50, 10]);
  await settle({ tokens: 20, costUsd: 0.2 });
  expect(await left(USER, SESSION)).toEqual([80, 40]);
  const another: SharedLimit = { ...SESSION, session: 't' };
  expect(await left(USER, another)).toEqual([80, 60]);
});

test('a call that is settled again, because the answer of the store was lost, counts once', async () => {
  const { settle } = await spend(USER, 50);
  for (let n = 0; n < 2; n += 1) await settle({ tokens: 20, costUsd: 0.2 });
  expect(await left(USER)).toEqual([80]);
});

test('calls at once do not exceed a limit together', async () => {
  const tried = await Promise.allSettled(Array.from({ length: 20 }, () => spend(USER, 10)));
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(await left(USER)).toEqual([0]);
});

test('what a killed worker had set aside lapses', async () => {
  await spend(USER, 70);
  now += 3_599_000;
  expect(await left(USER)).toEqual([30]);
  now += 2_000;
  expect(await left(USER)).toEqual([100]);
});

test('each day and each month is counted for itself, and a call counts where it was begun', async () => {
  const monthly: SharedLimit = { ...USER, period: 'month' };
  const [daily, month] = [await spend(USER, 40), await spend(monthly, 40)];
  now += DAY_MS;
  for (const { settle } of [daily, month]) await settle({ tokens: 40, costUsd: 0 });
  expect(await left(USER, monthly)).toEqual([100, 60]);
  now += 10 * DAY_MS;
  expect(await left(monthly)).toEqual([100]);
});

test('a call that ends after the erasure of its user leaves nothing', async () => {
  const { settle } = await spend(USER, 10);
  await forgetSpending(documents, 'ada', new AbortController().signal);
  await settle({ tokens: 10, costUsd: 0.1 });
  expect(await documents.list('spending')).toEqual([]);
  // The user has begun anew.
  await spend(USER, 30);
  await settle({ tokens: 10, costUsd: 0.1 });
  expect(await left(USER)).toEqual([70]);
});

test('it goes with the erasure of its user alone', async () => {
  for (let n = 0; n < 150; n += 1) await spend({ ...SESSION, session: `s-${n}` }, 1);
  for (const user of ['ada', 'ad', 'adam']) await spend({ ...USER, user }, 1);
  await forgetSpending(documents, 'ada', new AbortController().signal);
  const keys = (await documents.list('spending')).map(({ key }) => key);
  expect(keys).toEqual(['ad/user/2026-11-24', 'adam/user/2026-11-24']);
});
