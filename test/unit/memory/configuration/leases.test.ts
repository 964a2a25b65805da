import { createLeases } from '../../../../src/memory/service/leases';

function opened() {
  const log: string[] = [];
  let next = 0;
  const leases = createLeases(
    (name: string) => {
      next += 1;
      log.push(`open ${name} ${next}`);
      return `${name} ${next}`;
    },
    (value) => {
      log.push(`close ${value}`);
      return Promise.resolve();
    },
  );
  return { log, leases };
}

test('is opened once for all who hold it, and closed after the last', async () => {
  const { log, leases } = opened();
  const [one, other] = [leases.lease('a'), leases.lease('a')];
  expect(other.value).toBe(one.value);
  await one.release();
  await one.release();
  expect(log).toEqual(['open a 1']);
  await other.release();
  expect(log).toEqual(['open a 1', 'close a 1']);
});

test('other settings have their own, and so has whoever comes after the end', async () => {
  const { log, leases } = opened();
  const [a, b] = [leases.lease('a'), leases.lease('b')];
  await a.release();
  expect(leases.lease('a').value).toBe('a 3');
  expect(b.value).toBe('b 2');
  expect(log).toEqual(['open a 1', 'open b 2', 'close a 1', 'open a 3']);
});

test('the end of all closes what is held, once', async () => {
  const { log, leases } = opened();
  const held = leases.lease('a');
  await leases.close();
  await held.release();
  expect(log).toEqual(['open a 1', 'close a 1']);
});

test('what could not be opened is tried anew', () => {
  let fails = true;
  const leases = createLeases(
    () => {
      if (fails) throw new Error('not now');
      return 'there';
    },
    () => Promise.resolve(),
  );
  expect(() => leases.lease('a')).toThrow('not now');
  fails = false;
  expect(leases.lease('a').value).toBe('there');
});
