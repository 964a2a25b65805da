import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether requests may go to an address: `public` always, `private` only if the setting allows it, `refused` never. */
export type AddressReach = 'public' | 'private' | 'refused';

export interface AddressVerdict {
  readonly reach: AddressReach;
  /** The kind of address in words, such as `link-local`. */
  readonly kind: string;
}

const PUBLIC: AddressVerdict = { reach: 'public', kind: 'public' };

/**
 * Addresses at which clouds give credentials to any process on a machine. They are listed because the registries alone would
 * classify most of them as public, private or shared.
 */
const METADATA_BLOCKS = [
  '100.100.100.200/32', // Alibaba Cloud, inside the carrier-grade NAT range
  '168.63.129.16/32', // Azure's host channel, inside public space
  '169.254.169.254/32', // AWS, Google Cloud, Azure, OpenStack and others
  '192.0.0.192/32', // Oracle Cloud
  'fd00:ec2::/32', // AWS: metadata ::254, container credentials ::23, and the other services of the host
  'fd20:ce::254/128', // Google Cloud
  'fd00:42::42/128', // Scaleway
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud
  'fd00:a9fe:a9fe::1/128', // Akamai
  'fd00:100::100:200/128', // Alibaba Cloud
].map((block) => ipaddr.parseCIDR(block));

/** The only block that IANA has delegated as global IPv6 unicast (RFC 4291 §2.4 and the IANA registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

const PRIVATE_KINDS: Readonly<Record<string, string>> = {
  loopback: 'loopback',
  private: 'private',
  carrierGradeNat: 'carrier-grade NAT',
  uniqueLocal: 'unique-local',
};

const REFUSED_KINDS: Readonly<Record<string, string>> = {
  unspecified: 'unspecified',
  broadcast: 'broadcast',
  multicast: 'multicast',
  linkLocal: 'link-local',
};

/** IPv6 blocks whose traffic is sent to an IPv4 address, with a function that finds this address in the 16 bytes. */
const EMBEDDINGS: readonly {
  readonly block: [ipaddr.IPv6, number];
  readonly find: (bytes: readonly number[]) => readonly (readonly number[])[];
}[] = [
  { block: ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), find: (bytes) => [bytes.slice(12)] }, // mapped, RFC 4291
  { block: ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), find: (bytes) => [bytes.slice(12)] }, // SIIT, RFC 2765
  { block: ipaddr.IPv6.parseCIDR('64:ff9b::/96'), find: (bytes) => [bytes.slice(12)] }, // NAT64, RFC 6052
  { block: ipaddr.IPv6.parseCIDR('2002::/16'), find: (bytes) => [bytes.slice(2, 6)] }, // 6to4, RFC 3056
  {
    // Teredo, RFC 4380 §4: the address of the server, and the inverted address of the client. Traffic goes to both.
    block: ipaddr.IPv6.parseCIDR('2001::/32'),
    find: (bytes) => [bytes.slice(4, 8), bytes.slice(12).map((byte) => byte ^ 0xff)],
  },
];

/**
 * Classifies an IP address in text form by the IANA special-purpose registries (RFC 6890 and its updates). Every text that is
 * not clearly a public or a private address is refused, also one that is not an address.
 */
export function judgeAddress(address: string): AddressVerdict {
  if (isIP(address) === 0) return { reach: 'refused', kind: 'unrecognised' };
  return isIP(address) === 4 ? judgeIpv4(ipaddr.IPv4.parse(address)) : judgeIpv6(parseIpv6(address));
}

/**
 * Parses an IPv6 address. The URL parser first converts it to its hexadecimal form, because the library mistakes `::127.0.0.1`
 * for `::ffff:127.0.0.1`. The zone is removed: it names an interface of this machine and does not change the classification.
 */
function parseIpv6(address: string): ipaddr.IPv6 {
  const { hostname } = new URL(`http://[${address.replace(/%.*/s, '')}]`);
  return ipaddr.IPv6.parse(hostname.slice(1, -1));
}

function judgeIpv4(address: ipaddr.IPv4): AddressVerdict {
  return judgeMetadata(address) ?? judgeRange(address.range());
}

function judgeIpv6(address: ipaddr.IPv6): AddressVerdict {
  const metadata = judgeMetadata(address);
  if (metadata) return metadata;
  const embedding = EMBEDDINGS.find(({ block }) => address.match(block));
  if (embedding) {
    const verdicts = embedding
      .find(address.toByteArray())
      .map((octets) => judgeIpv4(new ipaddr.IPv4([...octets])));
    return strictest(verdicts);
  }
  const verdict = judgeRange(address.range());
  return verdict.reach === 'public' && !address.match(GLOBAL_UNICAST) ? reserved() : verdict;
}

function judgeMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): AddressVerdict | undefined {
  const hit = METADATA_BLOCKS.some(
    ([block, bits]) => block.kind() === address.kind() && address.match(block, bits),
  );
  return hit ? { reach: 'refused', kind: 'cloud metadata' } : undefined;
}

function judgeRange(range: string): AddressVerdict {
  if (range === 'unicast') return PUBLIC;
  const privateKind = PRIVATE_KINDS[range];
  if (privateKind !== undefined) return { reach: 'private', kind: privateKind };
  const refusedKind = REFUSED_KINDS[range];
  return refusedKind === undefined ? reserved() : { reach: 'refused', kind: refusedKind };
}

function reserved(): AddressVerdict {
  return { reach: 'refused', kind: 'reserved' };
}

function strictest(verdicts: readonly AddressVerdict[]): AddressVerdict {
  return (
    verdicts.find((verdict) => verdict.reach === 'refused') ??
    verdicts.find((verdict) => verdict.reach === 'private') ??
    PUBLIC
  );
}
