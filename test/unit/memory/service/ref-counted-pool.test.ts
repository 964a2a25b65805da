import { createRefCountedPool } from '../../../../src/memory/service/ref-counted-pool';

function opened() {
  const log: string[] = [];
  let next = 0;
  const pool = createRefCountedPool(
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
  return { log, pool };
}

test('is opened once for all who hold it, and closed after the last', async () => {
  const { log, pool } = opened();
  const [one, other] = [pool.acquire('a'), pool.acquire('a')];
  expect(other.value).toBe(one.value);
  await one.release();
  await one.release();
  expect(log).toEqual(['open a 1']);
  await other.release();
  expect(log).toEqual(['open a 1', 'close a 1']);
});

test('other settings have their own, and so has whoever comes after the end', async () => {
  const { log, pool } = opened();
  const [a, b] = [pool.acquire('a'), pool.acquire('b')];
  await a.release();
  expect(pool.acquire('a').value).toBe('a 3');
  expect(b.value).toBe('b 2');
  expect(log).toEqual(['open a 1', 'open b 2', 'close a 1', 'open a 3']);
});

test('the end of all closes what is held, once', async () => {
  const { log, pool } = opened();
  const held = pool.acquire('a');
  await pool.close();
  await held.release();
  expect(log).toEqual(['open a 1', 'close a 1']);
});

test('what could not be opened is tried anew', () => {
  let fails = true;
  const pool = createRefCountedPool(
    () => {
      if (fails) throw new Error('not now');
      return 'there';
    },
    () => Promise.resolve(),
  );
  expect(() => pool.acquire('a')).toThrow('not now');
  fails = false;
  expect(pool.acquire('a').value).toBe('there');
});
