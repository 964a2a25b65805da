import { loadConfig } from '../../../src/config';

test('everything has a default, and the result is frozen', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    PORT: 3000,
    RECORDS_PORT: 3001,
    HOST: '127.0.0.1',
    loopback: true,
    externalTemporal: false,
  });
  expect(config.DATA_DIR).toMatch(/\/data$/);
  expect(config.FILE_ROOT).toMatch(/\/data\/files$/);
  expect(Object.isFrozen(config)).toBe(true);
});

test('an empty variable counts as absent', () => {
  expect(loadConfig({ PORT: '', TEMPORAL_ADDRESS: '' })).toMatchObject({
    PORT: 3000,
    externalTemporal: false,
  });
});

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['WAIT_LIMIT_MS', '-1'],
  ['EGRESS_ALLOW_PRIVATE', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['RUN_TIMEOUT_MS', '20000'],
  ['WEATHER_FORECAST_URL', 'nowhere'],
])('%s=%s is refused in one line that names it', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(
    expect.objectContaining({
      code: 'CONFIGURATION',
      message: expect.stringMatching(new RegExp(`^[^\\n]*${name}[^\\n]*$`)),
    }),
  );
});

test.each([
  ['127.0.0.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['192.168.1.5', false],
  ['127.example.com', false],
])('tools may call private addresses by default only while HOST is loopback: %s', (HOST, allowed) => {
  expect(loadConfig({ HOST }).EGRESS_ALLOW_PRIVATE).toBe(allowed);
  expect(loadConfig({ HOST, EGRESS_ALLOW_PRIVATE: 'false' }).EGRESS_ALLOW_PRIVATE).toBe(false);
});

test('a named server or profile means that none is run', () => {
  expect(loadConfig({ TEMPORAL_ADDRESS: 'a:7233' }).externalTemporal).toBe(true);
  expect(loadConfig({ TEMPORAL_PROFILE: 'prod' }).externalTemporal).toBe(true);
});
