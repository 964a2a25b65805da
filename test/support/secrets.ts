import { createPseudonyms } from '../../src/secrets/pseudonyms';
import { createSecretBox } from '../../src/secrets/secret-box';
import { createSigner } from '../../src/secrets/signer';

/** What a service derives from its key. */
export function secretsOf(key: Buffer) {
  return {
    secrets: createSecretBox(key),
    signer: createSigner(key, 'erasure-receipts'),
    pseudonyms: createPseudonyms(key),
  };
}
