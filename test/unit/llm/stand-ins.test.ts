import { createStandIns, describeStandIns, type StandIn } from '../../../src/llm/stand-ins';
import type { DocumentStore } from '../../../src/stores/documents';
import { createDocumentStore } from '../../../src/factories/create-stores';
import { temporaryFolder } from '../../contract/support/temporary-folder';
import { waitFor } from '../../support/wait';

const folder = temporaryFolder();
let documents: DocumentStore;
let now: number;
const lines: unknown[] = [];
const counted: unknown[] = [];

beforeEach(() => {
  documents = createDocumentStore({ path: folder.file(`${Math.random()}.db`) });
  lines.length = 0;
  counted.length = 0;
  now = Date.now();
});
afterEach(() => documents.close());
afterAll(() => folder.remove());

const create = () =>
  createStandIns({
    logger: { warn: (about: object) => void lines.push(about) } as never,
    metrics: { modelReplaced: (of) => void counted.push(of) },
    documents,
    now: () => now,
  });
const ANSWER: StandIn = { step: 'answer', by: 'rules', provider: 'local', reason: 'connection refused' };
const described = () => describeStandIns(documents);

test('each is counted, and a step is logged once in a minute with how often it happened', () => {
  const { note } = create();
  for (let times = 0; times < 3; times += 1) note(ANSWER);
  now += 61_000;
  note({ ...ANSWER, by: 'quotes' });
  note({ ...ANSWER, step: 'classify' });
  expect(lines).toEqual([
    { ...ANSWER, times: 1 },
    { ...ANSWER, by: 'quotes', times: 3 },
    { ...ANSWER, step: 'classify', times: 1 },
  ]);
  expect(counted).toHaveLength(5);
  expect(counted[4]).toEqual({ step: 'classify', by: 'rules' });
});

test('health says which step is made without its model, until the model answers', async () => {
  const standIns = create();
  expect(await described()).toBeUndefined();
  standIns.note(ANSWER);
  await waitFor(async () => (await described()) !== undefined, { what: 'the note to be shared' });
  expect(await described()).toMatch(
    /^rules stood in for a model of "local" \(answer, .*\): connection refused$/,
  );
  // Another step that its model makes says nothing of this one.
  standIns.modelAnswered('classify');
  standIns.note({ ...ANSWER, step: 'classify' });
  standIns.modelAnswered('answer');
  await waitFor(async () => /^rules stood in .* \(classify,/.test((await described()) ?? ''), {
    what: 'one step to be well again',
  });
});

test('a stand-in of a process that has ended counts for five minutes', async () => {
  now -= 301_000;
  create().note(ANSWER);
  now = Date.now();
  const later = create();
  later.note({ ...ANSWER, step: 'classify' });
  await waitFor(async () => (await described()) !== undefined, { what: 'the later note to be shared' });
  expect(await described()).not.toContain('(answer');
});
