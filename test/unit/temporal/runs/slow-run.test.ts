import { describePollers } from '../../../../temporal/runs/slow-run';

const NOW = 1_000_000;
const ago = (seconds: number): number => NOW - seconds * 1_000;
const about = (lastPoll: number, waiting?: number): string =>
  describePollers({ kind: 'io', taskQueue: 'q-io', lastPoll }, waiting, NOW);

test('a queue that nobody polls is told', () => {
  expect(about(0)).toMatch(/No worker is polling the task queue "q-io" \(tools that wait for a network/);
  expect(about(ago(71), ago(71))).toMatch(/No worker is polling/);
});

test('a worker that died a while ago is told by the task it left', () => {
  expect(about(ago(30), ago(20))).toMatch(
    /No worker has polled the task queue "q-io" \(.*\) in the last 30 s/,
  );
});

test('a worker that lives raises no alarm', () => {
  // This is the long poll of an idle worker; the run waits for something else.
  expect(about(ago(59))).toBe('');
  // The task was added just now.
  expect(about(ago(59), ago(2))).toBe('');
  // All slots of the worker were taken, and it polls again.
  expect(about(ago(1), ago(20))).toBe('');
});
