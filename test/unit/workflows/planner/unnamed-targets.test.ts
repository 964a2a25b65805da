import fc from 'fast-check';
import { anyCharacter } from '../../../support/any-character';
import type { AllowedTargets } from '../../../../src/contracts/allowed-targets';
import type { ToolCall } from '../../../../src/contracts/runs/tools';
import { denyUnnamedTargets } from '../../../../workflows/planner/unnamed-targets';
import { pickCount } from '../../../support/thorough';

const BUILTIN = { kind: 'builtin' } as ToolCall['implementation'];

function isAllowed(said: string, toolName: string, args: ToolCall['args']): boolean {
  return denyUnnamedTargets(said).reasonToDeny({ toolName, args, implementation: BUILTIN }) === undefined;
}
const mayFetch = (said: string, url: unknown): boolean => isAllowed(said, 'api_call', { url });
const mayRead = (said: string, path: unknown): boolean => isAllowed(said, 'file_read', { path });

describe('an address may be asked', () => {
  test.each([
    ['fetch http://good.example/users', 'http://good.example/users'],
    ['fetch http://good.example/users', 'http://good.example/other?page=2#part'],
    ['fetch http://good.example.', 'http://good.example'],
    ['is http://good.example: up?', 'http://good.example/'],
    ['(see http://good.example)', 'http://good.example/'],
    ['what does "https://good.example:8443/x" say', 'https://good.example:8443/x'],
    ['FETCH HTTP://Good.Example/', 'http://gOOD.eXAMPLE/'],
    ['ask good.example for the time', 'https://good.example/time'],
    ['ask good.example/users, please', 'https://good.example/users'],
    ['ask api.good.example', 'http:\\\\api.good.example\\x'],
    ['what runs on localhost:3000?', 'http://localhost:3000/'],
    ['fetch http://backend/health', 'http://backend/health'],
    ['ping 192.0.2.7', 'http://192.0.2.7/'],
    ['fetch http://[2001:db8::1]:80/', 'http://[2001:db8::1]:80/'],
    ['fetch http://münchen.example/', 'http://münchen.example/'],
    ['fetch https://example.sh/install', 'https://example.sh/install'],
    ['ask example.sh/install', 'https://example.sh/install'],
    ['http://good.example/ を読んで', 'http://good.example/'],
    ['読んでhttp://good.example/', 'http://good.example/'],
  ])('%s: %s', (said, url) => {
    expect(mayFetch(said, url)).toBe(true);
  });
});

describe('an address may not be asked', () => {
  test.each<[string, unknown]>([
    ['fetch http://good.example/', 'http://evil.example/'],
    ['fetch http://good.example/', 'http://good.example@evil.example/'],
    ['fetch http://good.example/', 'http://good.example:80@evil.example/'],
    ['fetch http://good.example/', 'http://user@good.example/'],
    ['fetch http://good.example/', 'http://good.example.evil.example/'],
    ['fetch http://good.example/', 'http://evil.good.example/'],
    ['fetch http://good.example/', 'http://example/'],
    ['fetch http://good.example/', 'http://evil.example/http://good.example/'],
    ['fetch http://good.example/', 'http://evil.example\\@good.example/'],
    ['fetch http://good.example/', 'http://evil.example#good.example'],
    ['fetch http://good.example/', 'http://evil.example?good.example'],
    ['fetch http://good.example/', 'http://good.example\t.evil.example/'],
    ['fetch http://good.example/', '\thttp://evil.example/'],
    ['fetch http://good.example/', 'ht\ntp://evil.example/'],
    ['fetch http://good.example/', 'http:evil.example'],
    ['fetch http://good.example/', 'http:////evil.example'],
    ['fetch http://good.example/', 'HTTP://EVIL.EXAMPLE/'],
    ['fetch http://good.example/', 'http://evil.example./'],
    ['fetch http://good.example/', 'http://xn--vil-9la.example/'],
    ['fetch http://good.example/', 'http://good.example:8080/'],
    ['fetch http://good.example/', 'http://good%2eexample/'],
    ['fetch http://good.example:8080/', 'http://good.example/'],
    ['fetch http://good.example/to/evil.example', 'http://evil.example/'],
    ['fetch http://good.example//evil.example', 'http://evil.example/'],
    ['fetch http://good.example/?to=evil.example', 'http://evil.example/'],
    ['fetch http://good.example/?to=http://evil.example', 'http://evil.example/'],
    ['fetch http://good.example/http://evil.example', 'http://evil.example/'],
    ['fetch http://good.example#http://evil.example', 'http://evil.example/'],
    ['write to bob@evil.example', 'http://evil.example/'],
    ['fetch http://münchen.example/', 'http://nchen.example/'],
    ['fetch http://good.exampleü/', 'http://good.example/'],
    ['fetch http://😀evil.example/', 'http://evil.example/'],
    ['ask the internal wiki', 'http://internal/'],
    ['what is 15 times 7', 'http://15/'],
    ['what is 10.5 times 7', 'http://10.5/'],
    ['subtract 0 from 2130706433', 'http://2130706433/'],
    ['read notes.md and main.py', 'http://notes.md/'],
    ['read notes.md and main.py', 'http://main.py/'],
    ['e.g. tea', 'http://e.g/'],
    ['', 'http://evil.example/'],
    ['hello', ''],
    ['hello', ' '],
    ['hello', 'http://'],
    ['hello', undefined],
    ['hello', ['http://hello']],
    ['fetch http:// now', 'http:// /'],
  ])('%s: %j', (said, url) => {
    expect(mayFetch(said, url)).toBe(false);
  });

  test('and the refusal says which was not named', () => {
    const call = { toolName: 'api_call', args: { url: 'http://a@EVIL.example/x' }, implementation: BUILTIN };
    expect(denyUnnamedTargets('hello').reasonToDeny(call)).toBe(
      'the message does not name the address "a@evil.example", and options.allow.hosts does not allow it',
    );
  });
});

describe('a file may be read', () => {
  test.each([
    ['read notes.txt', 'notes.txt'],
    ['read notes.txt.', 'notes.txt'],
    ['what is in notes.txt?', 'notes.txt'],
    ['read "my notes.txt"', 'my notes.txt'],
    ['read ./notes.txt', 'notes.txt'],
    ['read notes.txt', './notes.txt'],
    ['read reports/may/sum.csv:', 'reports/may/sum.csv'],
    ['read `Makefile`', 'Makefile'],
    ['read “Makefile”', 'Makefile'],
    ['read größe.txt', 'größe.txt'],
  ])('%s: %s', (said, path) => {
    expect(mayRead(said, path)).toBe(true);
  });
});

describe('a file may not be read', () => {
  test.each<[string, unknown]>([
    ['read notes.txt', 'secret.txt'],
    ['read notes.txt', 'notes'],
    ['read notes.txt', 'otes.txt'],
    ['read notes.txt', 'NOTES.TXT'],
    ['read reports/secret.txt', 'secret.txt'],
    ['read reports/secret.txt', 'reports'],
    ['read reports/./secret.txt', 'secret.txt'],
    ['read x./secret.txt', 'secret.txt'],
    ['read reports\\secret.txt', 'secret.txt'],
    ['read größe.txt', 'e.txt'],
    ['read notes.txt', 'notes.txt/../secret.txt'],
    ['read my-notes.txt', 'notes.txt'],
    ['read notes.txt.bak', 'notes.txt'],
    ['tell me the secrets of the harbour', 'secrets'],
    ['read it', ''],
    ['read it', './'],
    ['read it', 7],
    ['read it', undefined],
  ])('%s: %j', (said, path) => {
    expect(mayRead(said, path)).toBe(false);
  });
});

test('tools that reach nowhere, and those of callers, are not looked at', () => {
  const { reasonToDeny } = denyUnnamedTargets('hello');
  const source = { kind: 'source', source: '() => 1' } as ToolCall['implementation'];
  expect(
    reasonToDeny({ toolName: 'calculator', args: { url: 'x' }, implementation: BUILTIN }),
  ).toBeUndefined();
  expect(reasonToDeny({ toolName: 'api_call', args: { url: 'x' }, implementation: source })).toBeUndefined();
  expect(reasonToDeny({ toolName: 'constructor', args: {}, implementation: BUILTIN })).toBeUndefined();
});

describe('whatever an address is made of', () => {
  const GOOD = 'good.example';
  const PIECES = [
    GOOD,
    'evil.example',
    'www.',
    'xn--',
    'a',
    '1',
    'ü',
    '😀',
    '@',
    ':',
    '80',
    '.',
    '/',
    '//',
  ].concat([
    '\\',
    '?',
    '#',
    '%2e',
    '%40',
    '\t',
    '\n',
    ' ',
    '[',
    ']',
    '::1',
    '-',
    '_',
    'GOOD.EXAMPLE',
    '\u3002',
    '\u00ad',
  ]);
  const SCHEMES = [
    'http://',
    'https://',
    'HTTP://',
    'http:',
    'http:/',
    'http:\\\\',
    'http:///',
    'ftp://',
    '',
    ' http://',
  ];
  const url = fc
    .tuple(fc.constantFrom(...SCHEMES), fc.array(fc.constantFrom(...PIECES), { maxLength: 7 }))
    .map(([scheme, pieces]) => scheme + pieces.join(''));
  const said = fc
    .tuple(
      fc.constantFrom('fetch ', 'please ask (', '"', 'see\n'),
      fc.constantFrom('http://', 'https://', ''),
      fc.constantFrom('', '/', '/evil.example', '/?u=http://evil.example/', '.', ')', '" now', ' for 80 a 1'),
    )
    .map(([before, scheme, after]) => `${before}${scheme}${GOOD}${after}`);

  test('only the host that was named is asked', () => {
    fc.assert(
      fc.property(said, url, (message, address) => {
        if (!mayFetch(message, address) || !URL.canParse(address)) return;
        const { protocol, hostname, port, username, password } = new URL(address);
        if (protocol !== 'http:' && protocol !== 'https:') return;
        expect([hostname.replace(/\.$/, ''), port, username, password]).toEqual([GOOD, '', '', '']);
      }),
      { numRuns: pickCount(2_000, 20_000) },
    );
  });

  test('the host that was named may be asked, with any path', () => {
    const path = fc
      .array(fc.constantFrom(...PIECES), { maxLength: 4 })
      .map((pieces) => `/${pieces.join('')}`);
    fc.assert(
      fc.property(said, path, (message, rest) => {
        expect(mayFetch(message, `http://${GOOD}${rest}`)).toBe(true);
      }),
    );
  });

  test('what stands nowhere in the message is refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.webUrl(), fc.string(), (message, address, path) => {
        const { hostname } = new URL(address);
        fc.pre(!message.toLowerCase().includes(hostname) && !message.includes(path));
        expect(mayFetch(message, address)).toBe(false);
        expect(mayRead(message, `${path}x.txt`)).toBe(false);
      }),
    );
  });
});

test('whatever a path is made of, only the file that was named is read', () => {
  const PIECES = ['notes', '.txt', 'secret', '/', './', '../', '\\', 'a', '-', ' ', 'NOTES', 'ü', '.'];
  const path = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(path, (wanted) => {
      const allowed = mayRead('Read data/notes.txt, please', wanted);
      expect(allowed).toBe(/^(?:\.\/)*data\/notes\.txt$/.test(wanted));
      const plain = mayRead('Read notes.txt, please', wanted);
      expect(plain).toBe(/^(?:\.\/)*notes\.txt$/.test(wanted));
    }),
    { numRuns: pickCount(2_000, 20_000) },
  );
});

describe('what is allowed beside the message', () => {
  const refusal = (allowed: Partial<AllowedTargets>, toolName: string, args: ToolCall['args']) =>
    denyUnnamedTargets('do it', { hosts: [], files: [], ...allowed }).reasonToDeny({
      toolName,
      args,
      implementation: BUILTIN,
    });
  const reaches = (entry: string, url: string): boolean =>
    refusal({ hosts: ['first.example', entry] }, 'api_call', { url }) === undefined;
  const reads = (entry: string, path: string): boolean =>
    refusal({ files: ['first.txt', entry] }, 'file_read', { path }) === undefined;

  test.each([
    ['good.example', 'http://good.example/users?x=1'],
    ['good.example', 'HTTPS://Good.Example'],
    ['good.example', 'https://good.example:443/'],
    ['good.example:443', 'https://good.example/'],
    ['good.example:8443', 'https://good.example:8443/'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['[::1]:80', 'http://[::1]/'],
    ['*.good.example', 'https://api.good.example/'],
    ['*.good.example', 'https://a.b.good.example:443/'],
    ['*.good.example:8443', 'https://api.good.example:8443/'],
    ['*', 'http://evil.example:99/'],
  ])('%s: %s', (entry, url) => {
    expect(reaches(entry, url)).toBe(true);
  });

  test.each([
    ['good.example', 'http://evil.example/'],
    ['good.example', 'http://good.example:8080/'],
    ['good.example', 'http://good.example:443/'],
    ['good.example:443', 'http://good.example/'],
    ['good.example', 'http://api.good.example/'],
    ['good.example', 'http://good.example@evil.example/'],
    ['good.example', 'http://good.example.evil.example/'],
    ['good.example', 'http://good.example\t.evil.example/'],
    ['good.example', 'ht\ntp://good.example/'],
    ['good.example', 'ftp://good.example/'],
    ['good.example', 'good.example'],
    ['*.good.example', 'http://good.example/'],
    ['*.good.example', 'http://evilgood.example/'],
    ['*.good.example', 'http://evil.example\\.good.example/'],
    ['*.good.example', 'http://evil.example%2f.good.example/'],
    ['*.good.example', 'http://evil.example:80@x.good.example/'],
    ['*.good.example', 'http://x.good.example:8443/'],
    ['*.good.example', 'http://evil.example/.good.example'],
  ])('not %s: %s', (entry, url) => {
    expect(reaches(entry, url)).toBe(false);
  });

  test.each([
    ['notes.txt', 'notes.txt'],
    ['./notes.txt', 'notes.txt'],
    ['notes.txt', './notes.txt'],
    ['reports/', 'reports/may/sum.csv'],
    ['reports/', './reports/may.csv'],
    ['./', 'notes.txt'],
    ['*', 'any/file at all'],
  ])('%s: %s', (entry, path) => {
    expect(reads(entry, path)).toBe(true);
  });

  test.each([
    ['notes.txt', 'NOTES.txt'],
    ['notes.txt', 'notes.txt/../secret.txt'],
    ['reports', 'reports/may.csv'],
    ['reports/', 'reports/'],
    ['reports/', 'reports'],
    ['reports/', 'reports-2/may.csv'],
    ['reports/', 'reports/../secret.txt'],
    ['reports/', 'reports/a/..'],
    ['reports/', 'reports/..\\secret.txt'],
    ['*', ''],
  ])('not %s: %s', (entry, path) => {
    expect(reads(entry, path)).toBe(false);
  });

  test('a redirect leads to the host that was called and to those that are allowed', () => {
    const limits = { timeoutMs: 1, source: 'TOOL_TIMEOUT_MS', maxAttempts: 1 } as const;
    expect(
      denyUnnamedTargets('do it', { hosts: ['good.example'], files: [] }).boundRedirects(limits),
    ).toEqual({
      ...limits,
      withinHost: true,
      redirectHosts: ['good.example'],
    });
  });

  test('whatever an address is made of, an entry allows only its own host', () => {
    const pieces = [
      'good.example',
      'evil.example',
      '.',
      '@',
      ':',
      '80',
      '/',
      '\\',
      '?',
      '#',
      '%2e',
      '\t',
      ' ',
      'a',
      '[',
      ']',
    ];
    const url = fc
      .tuple(
        fc.constantFrom('http://', 'https://', 'http:', 'http:///', 'HTTP:\\\\', ' http://', ''),
        fc.array(fc.constantFrom(...pieces), { maxLength: 6 }),
      )
      .map(([scheme, rest]) => scheme + rest.join(''));
    fc.assert(
      fc.property(url, (address) => {
        if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return;
        const { hostname, port, username, password } = new URL(address);
        const isBelow = hostname.endsWith('.good.example');
        if (reaches('good.example', address)) {
          expect([hostname, port, username, password]).toEqual(['good.example', '', '', '']);
        }
        if (reaches('*.good.example', address)) expect([isBelow, port, username]).toEqual([true, '', '']);
      }),
      { numRuns: pickCount(2_000, 20_000) },
    );
  });
});
