import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Exchange } from './exchange';

/** Where resources come from, such as the records of runs. */
export interface ResourceSource {
  readonly templates: readonly ResourceTemplateType[];
  /** Resources that are listed one by one; absent: the source has templates alone. */
  readonly resources?: readonly Resource[];
  /**
   * Reads a resource. @returns undefined for an address that is not one of this source
   * @throws ResourceNotFoundError if the caller has no such resource
   */
  read(uri: string, exchange: Exchange): Promise<ReadResourceResult['contents'] | undefined>;
}

export const JSON_TYPE = 'application/json';

/** The content of a resource that is a value of JSON. Pure. */
export function jsonContent(uri: string, value: unknown): ReadResourceResult['contents'] {
  return [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }];
}
