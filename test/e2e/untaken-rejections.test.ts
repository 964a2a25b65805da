import { join } from 'node:path';
import { UNTAKEN_REJECTION } from '../../src/supervision/untaken-rejections';
import { takeProblems } from '../support/environment/process-problems';
import { openStage, type Stage } from '../support/stage';

const REJECTS = join(__dirname, '..', 'support', 'reject-on-signal.cjs');

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test('a process that serves continues after a rejected promise that no code takes, and logs it', async () => {
  const api = await stage.api({ NODE_OPTIONS: `--require=${REJECTS}` });
  api.process.signal('SIGUSR2');
  const { level, err } = await api.process.line(UNTAKEN_REJECTION);
  expect([level, err]).toEqual([50, expect.objectContaining({ message: 'forgotten' })]);
  expect((await api.get('/livez')).status).toBe(200);
  // It would fail this suite, as it fails any other one whose process has it.
  expect(takeProblems()).toEqual([expect.stringContaining('api left a rejected promise: ')]);
});
