import { parseJson } from '../../base/json/parse';
import type { HttpImplementation } from '../../contracts/http/tools';
import type { SecretBox } from '../../secrets/secret-box';
import type { HttpDeclaration } from './http-declaration';

/** Whose headers are sealed. No other tool or tenant can open them. */
export interface SealedFor {
  readonly secrets: SecretBox;
  readonly tenant: string;
  /** Of the tool. */
  readonly name: string;
}

/** What the registry keeps of a declaration. */
export function toHttpImplementation(
  { headers, ...rest }: HttpDeclaration,
  { secrets, tenant, name }: SealedFor,
): HttpImplementation {
  if (headers === undefined) return { kind: 'http', ...rest };
  const sealedHeaders = secrets.seal(JSON.stringify(headers), purposeOf(tenant, name));
  return { kind: 'http', ...rest, sealedHeaders };
}

/** The headers of a tool, with their templates. @throws HoldfastError `STORE_UNAVAILABLE` if they were sealed with another key */
export function openHeaders(
  { sealedHeaders }: HttpImplementation,
  { secrets, tenant, name }: SealedFor,
): Readonly<Record<string, string>> {
  if (sealedHeaders === undefined) return {};
  return parseJson(secrets.open(sealedHeaders, purposeOf(tenant, name))) as Record<string, string>;
}

const purposeOf = (tenant: string, name: string): string => `tool-headers/${tenant}/${name}`;
