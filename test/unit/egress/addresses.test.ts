import fc from 'fast-check';
import { judgeAddress, type AddressReach } from '../../../src/egress/addresses';
import { parseHttpUrl } from '../../../src/egress/hops';

const ADDRESSES: [AddressReach, string, string][] = [
  ['public', 'public', '1.1.1.1'],
  ['public', 'public', '8.8.8.8'],
  ['public', 'public', '172.15.255.255'],
  ['public', 'public', '172.32.0.1'],
  ['public', 'public', '2606:4700:4700::1111'],
  ['public', 'public', '2001:4860:4860::8888'],
  ['private', 'loopback', '127.0.0.1'],
  ['private', 'loopback', '127.255.255.254'],
  ['private', 'loopback', '::1'],
  ['private', 'private', '10.0.0.1'],
  ['private', 'private', '172.16.0.1'],
  ['private', 'private', '172.31.255.255'],
  ['private', 'private', '192.168.1.1'],
  ['private', 'carrier-grade NAT', '100.64.0.1'],
  ['private', 'carrier-grade NAT', '100.127.255.255'],
  ['private', 'unique-local', 'fc00::1'],
  ['private', 'unique-local', 'fd12:3456:789a::1'],
  ['refused', 'cloud metadata', '169.254.169.254'],
  ['refused', 'cloud metadata', '100.100.100.200'],
  ['refused', 'cloud metadata', '168.63.129.16'],
  ['refused', 'cloud metadata', '192.0.0.192'],
  ['refused', 'cloud metadata', 'fd00:ec2::254'],
  ['refused', 'cloud metadata', 'fd00:ec2::23'],
  ['refused', 'cloud metadata', 'fd20:ce::254'],
  ['refused', 'cloud metadata', 'fd00:42::42'],
  ['refused', 'link-local', '169.254.170.2'],
  ['refused', 'link-local', 'fe80::1'],
  ['refused', 'link-local', 'fe80::1%lo'],
  ['refused', 'link-local', 'fe80::a9fe:a9fe'],
  ['refused', 'unspecified', '0.0.0.0'],
  ['refused', 'unspecified', '0.1.2.3'],
  ['refused', 'unspecified', '::'],
  ['refused', 'multicast', '224.0.0.1'],
  ['refused', 'multicast', '239.255.255.250'],
  ['refused', 'multicast', 'ff02::1'],
  ['refused', 'broadcast', '255.255.255.255'],
  ['refused', 'reserved', '240.0.0.1'],
  ['refused', 'reserved', '192.0.2.1'],
  ['refused', 'reserved', '198.18.0.1'],
  ['refused', 'reserved', '198.51.100.1'],
  ['refused', 'reserved', '203.0.113.1'],
  ['refused', 'reserved', '192.88.99.1'],
  ['refused', 'reserved', '2001:db8::1'],
  ['refused', 'reserved', '100::1'],
  ['refused', 'reserved', 'fec0::1'],
  ['refused', 'reserved', '4000::1'],
  // The deprecated IPv4-compatible form is outside the delegated block, so it belongs to no network.
  ['refused', 'reserved', '::127.0.0.1'],
  ['refused', 'reserved', '::8.8.8.8'],
  // This is a network's own NAT64 prefix, and the network chooses where the IPv4 address is in it.
  ['refused', 'reserved', '64:ff9b:1::7f00:1'],
  // IPv4-mapped
  ['public', 'public', '::ffff:8.8.8.8'],
  ['private', 'loopback', '::ffff:127.0.0.1'],
  ['private', 'private', '::ffff:a00:1'],
  ['refused', 'cloud metadata', '::ffff:169.254.169.254'],
  ['refused', 'cloud metadata', '::ffff:a9fe:a9fe'],
  ['refused', 'unspecified', '::ffff:0.0.0.0'],
  // IPv4-translated
  ['private', 'loopback', '::ffff:0:127.0.0.1'],
  ['refused', 'cloud metadata', '::ffff:0:169.254.169.254'],
  // NAT64
  ['public', 'public', '64:ff9b::8.8.8.8'],
  ['private', 'loopback', '64:ff9b::127.0.0.1'],
  ['private', 'private', '64:ff9b::c0a8:101'],
  ['refused', 'cloud metadata', '64:ff9b::169.254.169.254'],
  // 6to4
  ['public', 'public', '2002:808:808::1'],
  ['private', 'private', '2002:a00:1::1'],
  ['private', 'loopback', '2002:7f00:1::'],
  ['refused', 'cloud metadata', '2002:a9fe:a9fe::'],
  // Teredo: server in the clear, client inverted
  ['public', 'public', '2001:0:808:808::f7f7:f7f7'],
  ['private', 'loopback', '2001:0:808:808::80ff:fffe'],
  ['refused', 'cloud metadata', '2001:0:808:808::5601:5601'],
  ['private', 'private', '2001:0:a00:1::f7f7:f7f7'],
  ['refused', 'cloud metadata', '2001:0:7f00:1::5601:5601'],
  // not an address
  ['refused', 'unrecognised', ''],
  ['refused', 'unrecognised', 'localhost'],
  ['refused', 'unrecognised', '127.1'],
  ['refused', 'unrecognised', '2130706433'],
  ['refused', 'unrecognised', '1.2.3.4.5'],
];

test.each(ADDRESSES)('%s (%s): %s', (reach, kind, address) => {
  expect(judgeAddress(address)).toEqual({ reach, kind });
});

test('an IPv4 address is judged the same in every form that carries it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const high = ((a << 8) | b).toString(16);
      const low = ((c << 8) | d).toString(16);
      const verdict = judgeAddress(address);
      for (const form of [`::ffff:${address}`, `::ffff:${high}:${low}`, `64:ff9b::${address}`]) {
        expect(judgeAddress(form)).toEqual(verdict);
      }
      expect(judgeAddress(`2002:${high}:${low}::1`)).toEqual(verdict);
    }),
  );
});

test('every address has a verdict', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      expect(['public', 'private', 'refused']).toContain(judgeAddress(address).reach);
    }),
  );
});

test.each([
  ['http://2130706433/', '127.0.0.1'],
  ['http://0x7f000001/', '127.0.0.1'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://0177.0.0.1/', '127.0.0.1'],
  ['http://017700000001/', '127.0.0.1'],
  ['http://127.1/', '127.0.0.1'],
  ['http://127.0.0.1./', '127.0.0.1'],
  ['http://①②⑦.⓪.⓪.①/', '127.0.0.1'],
  ['http://127。0。0。1/', '127.0.0.1'],
  ['http://%31%32%37.0.0.1/', '127.0.0.1'],
  ['http://2852039166/', '169.254.169.254'],
  ['http://0xA9.0xFE.0xA9.0xFE/', '169.254.169.254'],
  ['http://0/', '0.0.0.0'],
  ['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
  ['http://[0:0:0:0:0:0:0:1]/', '[::1]'],
])('%s names %s', (url, host) => {
  expect(parseHttpUrl(url).hostname).toBe(host);
});
