import type { HostilePeer } from '../hostile-peer';

/** What an attack has to work with. */
export interface Weapons {
  readonly peer: HostilePeer;
  /** A key of the attacker's tenant with the scopes that its callers usually have. */
  readonly key: string;
  /** The id of a key of the quiet tenant, of which the attacker has no secret. */
  readonly quietKeyId: string;
  /**
   * Sends one request with the key, and reads its answer to the end without keeping it.
   * @returns the status; 0 if there was no answer, or the attack was over before
   */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, request?: AttackRequest): Promise<number>;
  /** The same, if the attack needs the data of the answer. @throws Error if it is no success */
  ask<T>(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<T>;
  /** Aborts when the time of the attack is over. */
  readonly signal: AbortSignal;
}

export interface AttackRequest {
  /** JSON; a text is sent as it is. */
  readonly body?: object | string;
  /** They replace those of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives the answer up when it aborts, besides at the end of the attack. */
  readonly over?: AbortSignal;
}

/** What one tenant sends to stop the others. */
export interface Attack {
  readonly name: string;
  /** How much is sent: a little, as much as shows the attack in a few seconds, and all of it. The attack says of what. */
  readonly amount: { readonly few: number; readonly all: number };
  /** Whether the quiet tenant uses keys meanwhile that the service has not seen before. */
  readonly withNewKeys?: true;
  /** Sends it, and resolves when everything was answered or given up. */
  send(weapons: Weapons, amount: number): Promise<unknown>;
}

/** Sends `count` requests, all at once or `atOnce` of them. */
export async function repeat(
  count: number,
  send: (n: number) => Promise<unknown>,
  atOnce: number = count,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(count, atOnce) }, async () => {
      while (next < count) await send(next++);
    }),
  );
}
