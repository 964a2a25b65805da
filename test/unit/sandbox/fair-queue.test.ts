import fc from 'fast-check';
import type { RunOwner } from '../../../src/contracts/runs/run-owner';
import { FairQueue } from '../../../src/sandbox/fair-queue';

interface Job {
  readonly name: string;
  readonly owner: RunOwner;
}

function fill(places: number, ...owners: [tenant: string, user: string | undefined, count: number][]) {
  const queue = new FairQueue<Job>(places);
  for (const [tenant, user, count] of owners) {
    for (let number = 1; number <= count; number += 1) {
      const owner = { tenant, user };
      queue.add({ name: `${tenant}${user ?? ''}${number}`, owner }, owner);
    }
  }
  return queue;
}

/** The names of all jobs that may run now. */
function takeAll(queue: FairQueue<Job>): string[] {
  const names: string[] = [];
  for (let job = queue.take(); job !== undefined; job = queue.take()) names.push(job.name);
  return names;
}

/** Runs all jobs one after the other. */
function drain(queue: FairQueue<Job>): string[] {
  const names: string[] = [];
  for (let job = queue.take(); job !== undefined; job = queue.take()) {
    names.push(job.name);
    queue.remove(job);
  }
  return names;
}

test('tenants take turns, and users within them, each in its own order', () => {
  const queue = fill(1, ['a', undefined, 2], ['a', 'x', 2], ['b', undefined, 3]);
  expect(drain(queue)).toEqual(['a1', 'b1', 'ax1', 'b2', 'a2', 'b3', 'ax2']);
});

test.each([
  [1, ['a1']],
  [2, ['a1']],
  [3, ['a1']],
  [4, ['a1', 'a2']],
  [8, ['a1', 'a2', 'a3', 'a4']],
])('of %d places, a tenant takes at most half', (places, taken) => {
  expect(takeAll(fill(places, ['a', undefined, 9]))).toEqual(taken);
});

test('a user takes at most half of that', () => {
  expect(takeAll(fill(8, ['a', 'x', 9]))).toEqual(['ax1', 'ax2']);
  expect(takeAll(fill(8, ['a', 'x', 9], ['a', undefined, 9]))).toEqual(['ax1', 'a1', 'ax2', 'a2']);
  expect(takeAll(fill(2, ['a', 'x', 9], ['b', 'x', 9]))).toEqual(['ax1', 'bx1']);
});

test('a caller that has its part of the jobs is refused more, and others are not', () => {
  const queue = new FairQueue<Job>(2, 8);
  const add = (tenant: string, user?: string): boolean => {
    const owner = { tenant, user };
    return queue.add({ name: tenant, owner }, owner);
  };
  expect([1, 2, 3].map(() => add('a', 'x'))).toEqual([true, true, false]);
  expect([1, 2, 3].map(() => add('a'))).toEqual([true, true, false]);
  expect([add('a', 'y'), add('b')]).toEqual([false, true]);
  queue.remove(queue.take()!);
  expect([add('a'), add('a')]).toEqual([true, false]);
});

test('a job that is removed while it waits never runs, and one that is removed twice gives back one place', () => {
  const queue = fill(2, ['a', undefined, 3]);
  const [first, second] = queue.jobs();
  queue.remove(second!);
  expect(queue.take()).toBe(first);
  expect(queue.isWaiting(first!)).toBe(false);
  expect(queue.take()).toBeUndefined();
  queue.remove(first!);
  queue.remove(first!);
  expect(takeAll(queue)).toEqual(['a3']);
});

test('whatever is asked for, no tenant has more than half, and a job of another one has a place', () => {
  const owner = fc.record({
    tenant: fc.constantFrom('a', 'b'),
    user: fc.constantFrom(undefined, 'x', 'y', 'z'),
  });
  const steps = fc.array(fc.oneof(owner, fc.constant('end' as const)), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), steps, (places, asked) => {
      const queue = new FairQueue<Job>(places);
      const running: Job[] = [];
      const take = (): void => {
        for (let job = queue.take(); job !== undefined; job = queue.take()) running.push(job);
      };
      for (const [index, step] of asked.entries()) {
        if (step !== 'end') queue.add({ name: `${index}`, owner: step }, step);
        else if (running.length > 0) queue.remove(running.shift()!);
        take();
        for (const tenant of ['a', 'b']) {
          const own = running.filter((job) => job.owner.tenant === tenant);
          expect(own.length).toBeLessThanOrEqual(Math.floor(places / 2));
        }
      }
      const honest = { name: 'honest', owner: { tenant: 'c' } };
      queue.add(honest, honest.owner);
      expect(queue.take()).toBe(honest);
    }),
    { numRuns: 200 },
  );
});
