import type { NameSource } from '../../contracts/constants';

/** The settings of a connection to a Neo4j server. */
export interface Neo4jSettings {
  /** An address such as `neo4j://host:7687`, without user and password. */
  readonly uri: string;
  readonly username: string;
  readonly password: string;
  /** The name of the database. Default: the user's home database. */
  readonly database?: string;
  /** Present for an address that a caller named: connections go only to addresses that the egress policy allows. */
  readonly egress?: { readonly allowPrivate: boolean; readonly names: NameSource };
  /** The maximum time of one operation in milliseconds, including waits for locks and repeats. Default 5,000. */
  readonly operationLimitMs?: number;
}
