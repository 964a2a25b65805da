import { createServer } from 'node:net';
import { HoldfastError } from '../../src/base/errors';

/**
 * Checks that a process can listen on a port.
 *
 * @param setting the name of the setting that chose the port, for the message
 * @throws HoldfastError `CONFIGURATION` with a message of one line that names the setting and what to do
 */
export async function assertPortFree(host: string, port: number, setting: string): Promise<void> {
  const code = await new Promise<string | undefined>((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
  if (code === undefined) return;
  const what = `Port ${port} on ${host} (${setting})`;
  if (code === 'EADDRINUSE') {
    throw new HoldfastError(
      'CONFIGURATION',
      `${what} is in use by another program: stop it, or set ${setting} to a free port.`,
    );
  }
  throw new HoldfastError(
    'CONFIGURATION',
    `${what} cannot be used (${code}): set ${setting} to another one.`,
  );
}
