import type { EarlierTurn } from '../../../src/contracts/conversations';
import type { SessionPlaces } from '../../../src/conversation/session-places';
import { createSessionPlaces } from '../../../src/conversation/session-places';
import { createDocumentStore } from '../../../src/stores/create-document-store';
import type { DocumentStore } from '../../../src/stores/documents';
import { temporaryFolder } from '../../contract/support/temporary-folder';

let folder: ReturnType<typeof temporaryFolder>;
let documents: DocumentStore;
let places: SessionPlaces;

beforeEach(() => {
  folder = temporaryFolder();
  documents = createDocumentStore({ path: folder.file('places.db') });
  let now = 0;
  places = createSessionPlaces({ documents, now: () => (now += 1) });
});
afterEach(async () => {
  await documents.close();
  folder.remove();
});

function lineOf(after: EarlierTurn | undefined): string[] {
  return after === undefined ? [] : [after.workflowId, ...lineOf(after.after)];
}

test('a place is behind the last one of its session, which remembers those before it', async () => {
  expect(await places.take('s', 'a')).toBeUndefined();
  expect(lineOf(await places.take('s', 'b'))).toEqual(['a']);
  expect(lineOf(await places.take('s', 'c'))).toEqual(['b', 'a']);
  expect(await places.take('another', 'd')).toBeUndefined();
});

test('whoever comes when the last turn is over waits for nobody', async () => {
  await places.take('s', 'a');
  await places.take('s', 'b');
  await places.leave('s', 'a');
  expect(lineOf(await places.take('s', 'c'))).toEqual(['b', 'a']);
  await places.leave('s', 'c');
  expect(await places.take('s', 'd')).toBeUndefined();
});

test('a place taken again is the same one, also with others behind it: nobody waits in a circle', async () => {
  const first = await places.take('s', 'a');
  const second = await places.take('s', 'b');
  await places.take('s', 'c');
  expect(await places.take('s', 'a')).toEqual(first);
  expect(await places.take('s', 'b')).toEqual(second);
  expect(lineOf(await places.take('s', 'd'))).toEqual(['c', 'b', 'a']);
});

test('a long line is remembered in part', async () => {
  for (let turn = 0; turn < 40; turn += 1) await places.take('s', `turn-${turn}`);
  const line = lineOf(await places.take('s', 'last'));
  expect(line).toHaveLength(32);
  expect(line[0]).toBe('turn-39');
});

test('places taken at once form one line', async () => {
  const turns = Array.from({ length: 20 }, (_, turn) => `turn-${turn}`);
  const afters = await Promise.all(turns.map((turn) => places.take('s', turn)));
  const before = new Set(afters.map((after) => after?.workflowId));
  expect(before.size).toBe(turns.length);
});
