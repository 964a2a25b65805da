import type { RequestListener } from 'node:http';
import { createEgress, type EgressOptions } from '../../../src/egress/create-egress';
import type { EgressResponse } from '../../../src/egress/egress';
import type { ResolvedAddress } from '../../../src/egress/resolver';
import { rejection, useCleanup } from './cleanup';
import { startStub, type StubServer } from './stub-server';

const release = useCleanup();

function open(options: Partial<EgressOptions> = {}) {
  const egress = createEgress({ allowPrivate: false, maxBodyBytes: 10_000, ...options });
  release(() => egress.close());
  return (url: string): Promise<EgressResponse> =>
    egress.request({
      owner: { tenant: 'default' },
      url,
      method: 'GET',
      allowPrivate: true,
      signal: new AbortController().signal,
    });
}

async function stub(answer: RequestListener): Promise<StubServer> {
  const server = await startStub(answer);
  release(() => server.close());
  return server;
}

const ipv4 = (address: string): ResolvedAddress => ({ address, family: 4 });

describe('a host that is an address', () => {
  test.each(['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1', '[::ffff:127.0.0.1]'])(
    '%s reaches loopback with the setting and not without',
    async (host) => {
      const server = await stub((_, response) => response.end('inside'));
      const url = `http://${host}:${server.port}/`;
      const error = await rejection(open()(url));
      expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
      expect(error.message).toMatch(/is a loopback address, and this server is not set to allow/);
      expect(server.connections()).toBe(0);
      expect((await open({ allowPrivate: true })(url)).text()).toBe('inside');
    },
  );
});

describe('a host that is a name', () => {
  test('is connected to at the very address that was checked', async () => {
    const server = await stub((_, response) => response.end('pinned'));
    const answers = [[ipv4('127.0.0.1')], [ipv4('169.254.169.254')]];
    const resolve = jest.fn(() => Promise.resolve(answers.shift() ?? []));
    const request = open({ allowPrivate: true, resolve });
    // The name server gives another answer after the first one, as in DNS rebinding.
    expect((await request(`http://rebinding.test:${server.port}/`)).text()).toBe('pinned');
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(server.seen[0]?.headers.host).toBe(`rebinding.test:${server.port}`);
  });

  test('is checked again for every new connection', async () => {
    const server = await stub((_, response) => {
      response.setHeader('connection', 'close');
      response.end();
    });
    const answers = [[ipv4('127.0.0.1')], [ipv4('169.254.169.254')]];
    const resolve = jest.fn(() => Promise.resolve(answers.shift() ?? []));
    const request = open({ allowPrivate: true, resolve });
    await request(`http://rebinding.test:${server.port}/`);
    const error = await rejection(request(`http://rebinding.test:${server.port}/`));
    expect(error.message).toMatch(/rebinding\.test resolves to a cloud metadata address/);
  });

  test.each([
    ['first', [ipv4('127.0.0.1'), ipv4('93.184.215.14')]],
    ['last', [ipv4('93.184.215.14'), ipv4('127.0.0.1')]],
    ['in an IPv6 form', [ipv4('93.184.215.14'), { address: '::ffff:7f00:1', family: 6 as const }]],
  ])('is refused for one bad address among good ones: %s', async (_, addresses) => {
    const server = await stub((__, response) => response.end());
    const error = await rejection(
      open({ resolve: () => Promise.resolve(addresses) })(`http://mixed.test:${server.port}/`),
    );
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
    expect(error.message).toMatch(/mixed\.test resolves to a loopback address/);
    expect(error.message).not.toContain('127.0.0.1');
    expect(server.connections()).toBe(0);
  });

  test.each(['metadata.google.internal', 'metadata.test'])('%s is judged by its address', async (name) => {
    const resolve = (): Promise<ResolvedAddress[]> => Promise.resolve([ipv4('169.254.169.254')]);
    const error = await rejection(open({ allowPrivate: true, resolve })(`http://${name}/`));
    expect(error.message).toMatch(/cloud metadata/);
  });

  test('localhost is loopback', async () => {
    const server = await stub((_, response) => response.end('here'));
    expect((await rejection(open()(`http://localhost:${server.port}/`))).message).toMatch(/loopback/);
    expect((await open({ allowPrivate: true })(`http://localhost:${server.port}/`)).text()).toBe('here');
  });

  test('a name without addresses does not exist', async () => {
    const error = await rejection(open({ resolve: () => Promise.resolve([]) })('http://empty.test/'));
    expect(error.message).toMatch(/no such host/);
  });
});

describe('a redirect', () => {
  test.each([
    ['http://169.254.169.254/latest/meta-data/', /cloud metadata/],
    ['http://0xa9fea9fe/', /cloud metadata/],
    ['http://[::ffff:a9fe:a9fe]/', /cloud metadata/],
    ['file:///etc/passwd', /only http and https/],
    ['http://user:pass@127.0.0.1/', /user name or password/],
    ['http://', /is not an address/],
  ])('to %s is refused', async (location, message) => {
    const server = await stub((_, response) => response.writeHead(302, { location }).end());
    const error = await rejection(open({ allowPrivate: true })(server.url));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
    expect(error.message).toMatch(message);
  });

  test('to a name is resolved and judged anew', async () => {
    const server = await stub((_, response) =>
      response.writeHead(302, { location: 'http://inner.test/' }).end(),
    );
    const resolve = (hostname: string): Promise<ResolvedAddress[]> =>
      Promise.resolve([ipv4(hostname === 'outer.test' ? '127.0.0.1' : '169.254.170.2')]);
    const error = await rejection(open({ allowPrivate: true, resolve })(`http://outer.test:${server.port}/`));
    expect(error.message).toMatch(/inner\.test resolves to a link-local address/);
  });
});
