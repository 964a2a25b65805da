import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A certificate for `localhost`, 127.0.0.1 and `db.example.test` that signs itself and is good for a hundred years. A process
 * trusts it with `NODE_EXTRA_CA_CERTS`.
 */
export const CERTIFICATE_FILE = join(__dirname, 'tls', 'certificate.pem');

/** PEM texts. */
export const TLS = {
  cert: readFileSync(CERTIFICATE_FILE, 'utf8'),
  key: readFileSync(join(__dirname, 'tls', 'key.pem'), 'utf8'),
};
