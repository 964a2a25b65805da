// `node healthcheck.mjs [/readyz]` requests a probe from the process of this container, on each port on which it may
// listen.
const LIMIT_MS = 4_000;

const path = process.argv[2] ?? '/livez';
const { PORT = '3000', RECORDS_PORT = '3001', WORKER_PROBE_PORT = '3002' } = process.env;

/** Requests the probe. Returns its status, or undefined if no process listens on the port. */
async function readStatus(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return error.cause?.code === 'ECONNREFUSED' ? undefined : 'no answer';
  }
}

const ports = [...new Set([PORT, RECORDS_PORT, WORKER_PROBE_PORT])];
const statuses = (await Promise.all(ports.map(readStatus))).filter((status) => status !== undefined);
const isHealthy = statuses.length > 0 && statuses.every((status) => status === 200);
console.log(`${path}: ${statuses.join(', ') || `nothing listens on ${ports.join(', ')}`}`);
process.exitCode = isHealthy ? 0 : 1;
