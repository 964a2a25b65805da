import { listeningUrl } from '../../../../src/base/http/listening-url';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3001'],
  ['localhost', 'http://localhost:3001'],
  ['::1', 'http://[::1]:3001'],
])('the URL of a server that listens at %s is %s', (host, url) => {
  expect(listeningUrl(host, 3001)).toBe(url);
});
