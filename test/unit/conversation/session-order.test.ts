import type { EarlierTurn } from '../../../src/contracts/runs/turns';
import {
  createSessionOrder,
  isRefusal,
  type Refusal,
  type SessionOrder,
  type SessionOrderPorts,
} from '../../../src/conversation/session-order';
import { createDocumentStore } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import { temporaryFolder } from '../../contract/support/temporary-folder';

const MAX_WAITING = 32;
const DAY_MS = 86_400_000;

let folder: ReturnType<typeof temporaryFolder>;
let documents: DocumentStore;
let places: SessionOrder;
let now: number;

const asked: string[] = [];
const ended = new Map<string, Awaited<ReturnType<SessionOrderPorts['runState']>>>();

beforeEach(() => {
  folder = temporaryFolder();
  documents = createDocumentStore({ path: folder.file('places.db') });
  now = 0;
  asked.length = 0;
  ended.clear();
  places = createSessionOrder({
    documents,
    now: () => (now += 1),
    maxWaiting: MAX_WAITING,
    runState: (workflowId) => {
      asked.push(workflowId);
      return Promise.resolve(ended.get(workflowId) ?? 'running');
    },
  });
});
afterEach(async () => {
  await documents.close();
  folder.remove();
});

function lineOf(after: EarlierTurn | undefined): string[] {
  return after === undefined ? [] : [after.workflowId, ...lineOf(after.after)];
}

/** Takes a place; fails if the line has none. */
async function take(workflowId: string, session = 's'): Promise<EarlierTurn> {
  return placeOf(await places.take(session, workflowId));
}

const retake = async (workflowId: string): Promise<EarlierTurn> =>
  placeOf(await places.retake('s', workflowId));

function placeOf(taken: EarlierTurn | Refusal): EarlierTurn {
  if (isRefusal(taken)) throw new Error(`there is no place: ${taken.refused}`);
  return taken;
}

/** The turns before a turn that takes its place now and then gives it back. */
async function before(): Promise<string[]> {
  const place = await take('looks');
  await places.withdraw('s', place);
  return lineOf(place.after);
}

test('a place is behind the last one of its session, and names those before it', async () => {
  expect(lineOf(await take('a'))).toEqual(['a']);
  expect(lineOf(await take('b'))).toEqual(['b', 'a']);
  expect(lineOf(await take('c'))).toEqual(['c', 'b', 'a']);
  expect(lineOf(await take('d', 'another'))).toEqual(['d']);
});

test('a place taken again is the same one, also with others behind it: no turns wait for each other', async () => {
  const first = await take('a');
  const second = await take('b');
  await take('c');
  expect(await take('a')).toEqual(first);
  expect(await take('b')).toEqual(second);
  expect(await before()).toEqual(['c', 'b', 'a']);
});

test('a place that is withdrawn lets no turn past those before it', async () => {
  await take('a');
  const repeat = await take('b');
  await take('c');
  await places.withdraw('s', repeat);
  expect(await before()).toEqual(['c', 'a']);
});

test('a place that two requests took is not withdrawn by either', async () => {
  const first = await take('a');
  const second = await take('a');
  await places.withdraw('s', first);
  await places.withdraw('s', second);
  expect(await before()).toEqual(['a']);
});

test('a request that comes late leaves alone what its run was given since', async () => {
  const first = await take('a');
  await places.withdraw('s', first);
  const second = await take('a');
  expect(second.placedAt).not.toBe(first.placedAt);
  await places.withdraw('s', first);
  await places.leave('s', first, 'in-order');
  expect(await before()).toEqual(['a']);
});

test('a turn that had its turn takes those before it along, one that ended otherwise does not', async () => {
  await take('a');
  const second = await take('b');
  const third = await take('c');
  await take('d');
  await places.leave('s', third, 'unknown-order');
  expect(await before()).toEqual(['d', 'b', 'a']);
  await places.leave('s', second, 'in-order');
  expect(await before()).toEqual(['d']);
});

test('a place is not behind turns that have ended unseen at the front', async () => {
  expect(lineOf(await take('a'))).toEqual(['a']);
  expect(asked).toEqual([]);
  await take('b');
  await take('c');
  ended.set('a', 'over').set('b', 'cut off');
  expect(lineOf(await take('d'))).toEqual(['d', 'c']);
  ended.set('c', 'over').set('d', 'over');
  expect(lineOf(await take('e'))).toEqual(['e']);
});

test('a line that is left by all is empty', async () => {
  await places.leave('s', await take('a'), 'in-order');
  expect(await before()).toEqual([]);
  await places.leave('s', await take('b'), 'unknown-order');
  expect(await before()).toEqual([]);
});

describe('a full line', () => {
  beforeEach(async () => {
    for (let turn = 0; turn <= MAX_WAITING; turn += 1) await take(`turn-${turn}`);
  });

  test('has no further place, and is not changed by a request for one', async () => {
    // Behind a turn that goes on, only that turn is asked for.
    expect(new Set(asked)).toEqual(new Set(['turn-0']));
    const stored = await documents.get('session-places', 's');
    expect(await places.take('s', 'another')).toEqual({ refused: 'full' });
    expect(await documents.get('session-places', 's')).toEqual(stored);
  });

  test('has the places that its runs have', async () => {
    expect(lineOf(await take('turn-3'))).toEqual(['turn-3', 'turn-2', 'turn-1', 'turn-0']);
  });

  test('lets go of turns that have ended unseen, and of those that were never started', async () => {
    for (const turn of ['turn-0', 'turn-1']) ended.set(turn, 'over');
    ended.set('turn-9', 'cut off');
    ended.set('turn-30', 'unknown');
    expect(lineOf(await take('another'))).toHaveLength(MAX_WAITING);
    now += 15_000;
    for (const turn of ['b', 'c']) await take(turn);
    expect(lineOf(await take('d'))).not.toContain('turn-30');
    expect(await places.take('s', 'e')).toEqual({ refused: 'full' });
  });

  test('stays as it is where the engine cannot be asked, which is asked again only some seconds later', async () => {
    let times = 0;
    const unsure = createSessionOrder({
      documents,
      now: () => now,
      maxWaiting: MAX_WAITING,
      runState: () => {
        times += 1;
        return Promise.reject(new Error('no answer'));
      },
    });
    expect(await unsure.take('s', 'another')).toEqual({ refused: 'full' });
    expect(await unsure.take('s', 'another')).toEqual({ refused: 'full' });
    expect(times).toBe(1);
    now += 5_000;
    expect(await unsure.take('s', 'another')).toEqual({ refused: 'full' });
    expect(times).toBe(2);
  });
});

describe('a place whose run was never started', () => {
  test('is kept while it may be', async () => {
    const first = await take('a');
    await take('b');
    expect(await places.retake('s', 'a')).toEqual(first);
  });

  test('cannot be had while it is not known whether it still will be', async () => {
    await take('a');
    now += 9_000;
    await expect(places.retake('s', 'a')).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      retryable: true,
    });
  });

  test('is given up for one at the end', async () => {
    const first = await take('a');
    await take('b');
    now += 15_000;
    const second = await retake('a');
    expect(lineOf(second)).toEqual(['a', 'b']);
    expect(second.placedAt).toBeGreaterThan(first.placedAt);
    // A single request holds the place again.
    await places.withdraw('s', second);
    expect(await before()).toEqual(['b']);
  });

  test('is taken anew where others have removed it', async () => {
    await take('b');
    expect(lineOf(await retake('a'))).toEqual(['a', 'b']);
  });
});

describe('a turn that waits for a person', () => {
  const QUEUED = { behindPaused: true };
  const REJECTED = { behindPaused: false };

  test('refuses further turns, unless they wait behind it', async () => {
    await take('a');
    expect(await places.take('s', 'b', REJECTED)).toHaveProperty('placedAt');
    ended.set('a', 'paused');
    const stored = await documents.get('session-places', 's');
    expect(await places.take('s', 'c', REJECTED)).toEqual({ refused: 'paused', by: 'a' });
    expect(await documents.get('session-places', 's')).toEqual(stored);
    expect(lineOf(placeOf(await places.take('s', 'c', QUEUED)))).toEqual(['c', 'b', 'a']);
  });

  test('is seen behind a place whose run was never started', async () => {
    await take('lost');
    await take('a');
    ended.set('lost', 'unknown').set('a', 'paused');
    expect(await places.take('s', 'b', REJECTED)).toEqual({ refused: 'paused', by: 'a' });
    expect(lineOf(placeOf(await places.take('s', 'b', QUEUED)))).toEqual(['b', 'a', 'lost']);
  });

  test('refuses a run whose place has lapsed', async () => {
    await take('a');
    await take('b');
    now += 15_000;
    ended.set('a', 'paused').set('b', 'unknown');
    expect(await places.retake('s', 'b', REJECTED)).toEqual({ refused: 'paused', by: 'a' });
    expect(await places.retake('s', 'b', QUEUED)).toHaveProperty('placedAt');
  });

  test('refuses neither itself nor those that have a place', async () => {
    const [first, second] = [await take('a'), await take('b')];
    ended.set('a', 'paused');
    expect(await places.take('s', 'a', REJECTED)).toEqual(first);
    expect(await places.take('s', 'b', REJECTED)).toEqual(second);
  });

  test('keeps its place for as long as it may wait, and an empty session does not', async () => {
    const first = await take('a');
    const expired = (days: number): Promise<number> => documents.removeExpired(days * DAY_MS, 10);
    expect(await expired(100)).toBe(0);
    await places.leave('s', first, 'in-order');
    expect(await expired(3)).toBe(1);
  });
});

test('places taken at once form one line', async () => {
  const turns = Array.from({ length: 20 }, (_, turn) => `turn-${turn}`);
  const lines = await Promise.all(turns.map((turn) => take(turn)));
  const lengths = lines.map((line) => lineOf(line).length).sort((a, b) => a - b);
  expect(lengths).toEqual(turns.map((_, at) => at + 1));
});

describe('a line that an older build wrote', () => {
  const write = (value: unknown): Promise<boolean> =>
    documents.write([{ type: 'put', collection: 'session-places', key: 's', value }]);

  test('is continued', async () => {
    await write({ workflowId: 'b', placedAt: 2, after: { workflowId: 'a', placedAt: 1 } });
    expect(await before()).toEqual(['b', 'a']);
  });

  test('is empty if its last turn had ended', async () => {
    await write({ workflowId: 'b', placedAt: 2, over: true });
    expect(await before()).toEqual([]);
  });
});
