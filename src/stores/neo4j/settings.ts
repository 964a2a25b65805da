/** How a Neo4j server is reached. */
export interface Neo4jSettings {
  /** As in `neo4j://host:7687`, with neither user nor password in it. */
  readonly uri: string;
  readonly username: string;
  readonly password: string;
  /** Absent: the user's home database. */
  readonly database?: string;
  /** Present for an address that a caller named: connections go to what the egress policy allows, and nowhere else. */
  readonly egress?: { readonly allowPrivate: boolean };
  /** How long one operation may take, lock waits and repeats included, milliseconds. Default 5,000. */
  readonly operationLimitMs?: number;
}
