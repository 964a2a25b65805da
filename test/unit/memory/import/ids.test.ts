import { createImportedIds } from '../../../../src/memory/import/ids';
import { createPseudonyms } from '../../../../src/secrets/pseudonyms';

const idsOf = (key: number) => {
  const pseudonyms = createPseudonyms(Buffer.alloc(32, key));
  return createImportedIds((name) => pseudonyms('imported-memories', name));
};
const ids = idsOf(1);
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const SAID = { sessionId: 's', at: Date.parse('2024-05-01T10:00:00Z'), role: 'user', content: 'x' };

test('the id of a message depends on all of it, and is the same each time', () => {
  const id = ids.ofMessage('ada', SAID, 0);
  expect(id).toMatch(ULID);
  expect(ids.ofMessage('ada', { ...SAID }, 0)).toBe(id);
  const others = [
    ids.ofMessage('bob', SAID, 0),
    ids.ofMessage('ada', SAID, 1),
    ids.ofMessage('ada', { ...SAID, sessionId: 't' }, 0),
    ids.ofMessage('ada', { ...SAID, at: SAID.at + 1 }, 0),
    ids.ofMessage('ada', { ...SAID, role: 'assistant' }, 0),
    ids.ofMessage('ada', { ...SAID, content: 'y' }, 0),
    idsOf(2).ofMessage('ada', SAID, 0),
  ];
  expect(new Set([id, ...others]).size).toBe(8);
  for (const other of others) expect(other).toMatch(ULID);
});

test('ids sort by the time, and a question before the answers of its time', () => {
  const question = ids.ofMessage('ada', SAID, 0);
  for (let n = 0; n < 50; n += 1) {
    const answer = { ...SAID, role: 'assistant', content: String(n) };
    expect(ids.ofMessage('ada', answer, 0) > question).toBe(true);
    expect(ids.ofMessage('ada', { ...answer, at: SAID.at - 1 }, 0) < question).toBe(true);
  }
  expect(ids.ofMessage('ada', { ...SAID, at: -1 }, 0)).toMatch(ULID);
});

test('the id in the place of a taken one sorts as that one', () => {
  const taken = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const id = ids.inPlaceOf('ada', 'episodic', taken);
  expect([id.slice(0, 10), ULID.test(id)]).toEqual([taken.slice(0, 10), true]);
  const all = [
    taken,
    id,
    ids.inPlaceOf('ada', 'semantic', taken),
    ids.inPlaceOf('bob', 'episodic', taken),
    ids.inPlaceOf('ada', 'episodic', '01ARZ3NDEKTSV4RRFFQ69G5FAW'),
  ];
  expect(new Set(all).size).toBe(5);
});
