import type { BegunLogin, LoginAnswer, LoginReturn } from '../../../src/tools/remote-servers';
import { randomUUID } from 'node:crypto';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { validationError } from '../../../src/base/errors';
import type { CheckedFetch } from '../../../src/egress/checked-fetch';
import type { Connect } from './connect';
import { listTools } from './list-tools';
import type { LoginServer } from './login/begin-login';
import type { Logins } from './login/create-logins';
import { LoginAsked, type LoginChallenge } from './login/login-errors';
import { loginFetch } from './login/login-fetch';
import type { ServerDocuments, StoredServer } from './server-documents';

export interface ServerLoginsPorts {
  readonly documents: Pick<ServerDocuments, 'access' | 'loginServer'>;
  readonly logins: Pick<Logins, 'begin' | 'finish'>;
  readonly connect: Connect;
  readonly fetch: CheckedFetch;
  readonly stopping: AbortSignal;
}

/** Logs people in at servers. */
export interface ServerLogins {
  /** @throws HoldfastError `VALIDATION` if the server has no login; as `Logins.begin` does */
  begin(server: StoredServer, toReturn: (login: BegunLogin) => LoginReturn): Promise<string>;
  /** @throws HoldfastError as `begin` and `Logins.finish` do */
  finish(server: StoredServer, id: string, answer: LoginAnswer): Promise<void>;
}

export function createServerLogins(ports: ServerLoginsPorts): ServerLogins {
  const { documents, logins, connect, fetch, stopping } = ports;

  function loginServerOf(server: StoredServer): LoginServer {
    const loginServer = documents.loginServer(server);
    if (loginServer !== undefined) return loginServer;
    throw validationError('name', `The server "${server.name}" has no login; add it with auth`);
  }

  /** Asks a server without a login what it wants. One that answers has its metadata where the protocol says. */
  async function askForChallenge(server: StoredServer): Promise<LoginChallenge> {
    try {
      await listTools(connect, server.name, { ...documents.access(server), prior: undefined }, stopping);
      return {};
    } catch (error) {
      const { cause } = error as Error;
      if (cause instanceof LoginAsked) return cause.challenge;
      // A server may publish its metadata at the usual address alone.
      if (SdkHttpError.isInstance(cause) && cause.status === 401) return {};
      throw error;
    }
  }

  return {
    async begin(server, toReturn) {
      const to = loginServerOf(server);
      const id = randomUUID();
      const back = toReturn({ name: server.name, server: server.id, id });
      const challenge = await askForChallenge(server);
      return logins.begin(to, id, challenge, back, loginFetch(fetch, to));
    },
    async finish(server, id, answer) {
      const to = loginServerOf(server);
      await logins.finish(to, id, answer, loginFetch(fetch, to));
    },
  };
}
