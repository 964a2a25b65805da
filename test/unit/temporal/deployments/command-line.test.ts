import { parseDeployArguments } from '../../../../temporal/deployments/command-line';

const parse = (line: string) => parseDeployArguments(line.split(' ').filter(Boolean));

test('commands with what they take', () => {
  expect(parse('status')).toEqual({ command: 'status' });
  expect(parse('promote 2')).toEqual({
    command: 'promote',
    buildId: '2',
    percent: undefined,
    waitMs: 120_000,
    ignoreMissingQueues: false,
  });
  expect(parse('promote 2 --ramp 12.5 --wait 3 --ignore-missing-queues')).toMatchObject({
    percent: 12.5,
    waitMs: 3_000,
    ignoreMissingQueues: true,
  });
  expect(parse('promote unversioned')).toMatchObject({ buildId: undefined });
  expect(parse('drain 1 --wait 60')).toEqual({ command: 'drain', buildId: '1', waitMs: 60_000 });
});

test.each([
  ['', /no command/],
  ['promot 2', /promot is no command/],
  ['promote', /needs a build/],
  ['promote 2 3', /one word too many/],
  ['promote 2 --ramp 0', /--ramp has to be above 0 and at most 100/],
  ['promote 2 --ramp half', /--ramp/],
  ['promote 2 --wait -1', /--wait/],
  ['promote unversioned --ramp 5', /a ramp needs a build/],
  ['promote 2 --force', /--force/],
  ['drain 1 --ramp 5', /drain takes --wait alone/],
  ['drain unversioned', /without a build/],
  ['status 2', /status takes nothing else/],
])('"%s" is refused with the usage', (line, message) => {
  expect(() => parse(line)).toThrow(message);
  expect(() => parse(line)).toThrow(/usage: npm run deploy/);
});
