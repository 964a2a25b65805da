/**
 * The names of headers and fields that carry credentials, without case and separators. A longer name that ends with one carries
 * them too: `X-Auth-Token`, `db_password`, `clientSecret`.
 */
const ENDINGS = [
  'authorization',
  'cookie',
  'cookies',
  'password',
  'passwords',
  'passwordhash',
  'passwordconfirmation',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'secrets',
  'credential',
  'credentials',
  'token',
  'apikey',
  'apikeys',
  'accesskey',
  'accountkey',
  'authkey',
  'encryptionkey',
  'privatekey',
  'secretkey',
  'sharedkey',
  'signingkey',
  'subscriptionkey',
  'amzsignature',
  'connectionstring',
];
/** Names too short to be looked for at the end of others. */
const WHOLE = ['auth', 'basicauth', 'bearer', 'jwt', 'otp', 'pass', 'pwd', 'sig'];
/** Names that end like those above, and say where a list goes on or which request something is about. */
const NO_CREDENTIALS = ['continuation', 'next', 'page', 'progress', 'sync'].map((what) => `${what}token`);

const ENDS = new RegExp(`(?:${ENDINGS.join('|')})$`);
const CARRIES_NONE = new RegExp(`(?:${NO_CREDENTIALS.join('|')})$`);
/** A longer name is not searched; its value counts as a credential. */
const MAX_NAME_LENGTH = 1_000;

/** Whether a header or field of a name carries credentials. */
export type NameTest = (name: string) => boolean;

/** Creates the test of names. @param others further names, which have to be whole; case and separators do not matter */
export function createNameTest(others: readonly string[] = []): NameTest {
  const whole: ReadonlySet<string> = new Set([...WHOLE, ...others.map(bare)].filter(Boolean));
  return (name) => {
    if (name.length > MAX_NAME_LENGTH) return true;
    const plain = bare(name);
    return whole.has(plain) || (ENDS.test(plain) && !CARRIES_NONE.test(plain));
  };
}

/** The test by the names above alone, for what is written before any setting is known. */
export const isCredentialName = createNameTest();

/** A name without case and separators. Pure. */
function bare(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
