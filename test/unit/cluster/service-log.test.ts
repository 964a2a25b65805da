import { PassThrough } from 'node:stream';
import { createServiceLog, serviceLogLevel } from '../../../cluster/services/service-log';

const LINE =
  '{"level":30,"time":"2026-01-01T00:00:00.000Z","part":"api","msg":"the API is listening","url":"http://a"}';

function logOf(LOG_LEVEL: 'debug' | 'info' | 'warn' | 'silent', LOG_FORMAT: 'json' | 'pretty') {
  const stream = new PassThrough();
  const log = createServiceLog({ LOG_LEVEL, LOG_FORMAT }, stream);
  return { log, text: () => String((stream.read() as Buffer | null) ?? '') };
}

test('in JSON each line has the name of its process, and stays one object', () => {
  const { log, text } = logOf('info', 'json');
  expect(log.write('api-1', LINE)).toMatchObject({ msg: 'the API is listening', url: 'http://a' });
  expect(JSON.parse(text())).toEqual({ ...(JSON.parse(LINE) as object), process: 'api-1' });
});

test('what is no line of the log becomes one, as an error', () => {
  const { log, text } = logOf('info', 'json');
  expect(log.write('api-1', 'node: bad option')).toBeUndefined();
  expect(JSON.parse(text())).toEqual({ process: 'api-1', level: 50, msg: 'node: bad option' });
  log.write('api-1', '{"level": cut short');
  expect(JSON.parse(text())).toMatchObject({ msg: '{"level": cut short' });
});

test('for a person the name is in front', () => {
  const { log, text } = logOf('info', 'pretty');
  log.write('worker-2', LINE);
  expect(text()).toMatch(/^worker-2 \| .*INFO.*: .*the API is listening/);
});

test.each(['warn', 'silent'] as const)('below %s nothing is written, and all is heard', (level) => {
  const { log, text } = logOf(level, 'json');
  expect(log.write('api-1', LINE)).toMatchObject({ msg: 'the API is listening' });
  expect(text()).toBe('');
  expect(serviceLogLevel({ LOG_LEVEL: level })).toBe('info');
});

test('services tell more where more is wanted', () => {
  expect(serviceLogLevel({ LOG_LEVEL: 'debug' })).toBe('debug');
});
