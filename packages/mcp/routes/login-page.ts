import type { KeyStore } from '../../../src/access/key-store';
import { type HoldfastError, isHoldfastError, validationError } from '../../../src/base/errors';
import type { McpServerView } from '../../../src/contracts/http/mcp-servers';
import type { Tenants } from '../../../src/tenants/tenants';
import { serverClock } from '../../../temporal/server-clock';
import { ERROR_TABLE } from '../../../api/http/error-table';
import { html } from '../../../api/http/html';
import type { Page, PageRoute } from '../../../api/http/page-route';
import { LOGIN_PATH } from './login-route';
import { isMakerValid } from '../../../api/http/caller-identity';
import type { LoginState, LoginStates } from '../../../src/secrets/signed-texts';

export interface LoginPagePorts {
  readonly tenants: Pick<Tenants, 'of'>;
  readonly states: Pick<LoginStates, 'read'>;
  /** Absent: keys are not accepted. */
  readonly keys: Pick<KeyStore, 'stampOf'> | undefined;
  /** Whether callers are authenticated. */
  readonly authenticated: boolean;
}

/** The page to which authorization servers send people back. Opening it finishes the login, once. */
export function loginPage({ tenants, states, keys, authenticated }: LoginPagePorts): PageRoute {
  /** @throws HoldfastError `VALIDATION` unless this deployment has made the text, for a login that may still be finished */
  async function readState(text: string | null): Promise<LoginState> {
    const state = text === null ? undefined : states.read(text);
    if (state === undefined) throw validationError('state', 'is not of a login that was begun here');
    if (serverClock.now() >= state.exp) throw validationError('state', 'has expired');
    if (await isMakerValid(state, keys, authenticated)) return state;
    throw validationError('state', 'is of a caller whose key is not valid any more');
  }

  return {
    method: 'get',
    path: LOGIN_PATH,
    actsWhenOpened: true,
    errorPage,
    async handler({ query, context: { logger, redactor } }) {
      const one = (name: string): string | undefined => query.get(name) ?? undefined;
      const state = await readState(query.get('state'));
      const [code, error] = [one('code'), one('error')];
      if (code === undefined && error === undefined) throw validationError('code', 'is missing');
      const { tenant, name, key } = state;
      const about = { server: name, tenant, keyId: key };
      const { mcp } = await tenants.of(tenant);
      const answer = {
        iss: one('iss'),
        ...(error === undefined ? { code } : { error, errorDescription: one('error_description') }),
      };
      try {
        const server = await mcp.servers.finishLogin(state, answer);
        logger.info(about, 'a login at an MCP server was made');
        return donePage(redactor.value(server), tenant);
      } catch (thrown) {
        const reason = isHoldfastError(thrown) ? thrown.code : 'INTERNAL';
        logger.warn({ ...about, reason }, 'a login at an MCP server was not made');
        throw thrown;
      }
    },
  };
}

function donePage({ name, tools, pending, away }: McpServerView, tenant: string): Page {
  const waiting = pending?.tools.length ?? 0;
  return {
    status: 200,
    title: 'You are logged in',
    content: html`<p>The tenant <b>${tenant}</b> may now use the server <b>${name}</b> as you.</p>
      ${
        away === undefined
          ? html`<p>${String(tools.length)} of its tools are in use.</p>`
          : html`<p role="alert">Its tools could not be listed yet. ${away.reason}</p>`
      }
      ${waiting === 0 ? undefined : html`<p>${String(waiting)} new or changed tools wait to be confirmed.</p>`}
      <p>You can close this page.</p>`,
  };
}

function errorPage({ code, message, details }: HoldfastError, status: number): Page {
  const { title, detail } = ERROR_TABLE[code];
  const field = details?.['field'];
  const problem = typeof field === 'string' ? `${field}: ${message}` : (detail ?? message);
  return {
    status,
    title: code === 'VALIDATION' ? 'This login cannot be finished' : title,
    content: html`<p role="alert">${problem}</p>
      <p>Where the login is still needed, begin another one.</p>`,
  };
}
