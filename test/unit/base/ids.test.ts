import { newId } from '../../../src/base/ids';

test('ids are ULIDs, differ, and sort by time', () => {
  const ids = Array.from({ length: 5_000 }, newId);
  expect(new Set(ids).size).toBe(5_000);
  for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  const times = ids.map((id) => id.slice(0, 10));
  expect([...times].sort()).toEqual(times);
});
