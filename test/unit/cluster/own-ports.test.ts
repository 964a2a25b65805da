import { createOwnPorts } from '../../../cluster/services/own-ports';

describe('ports of the processes of a cluster', () => {
  it('begin with the ones that are set, and are another for each process', () => {
    const ports = createOwnPorts({ METRICS_ADDRESS: '127.0.0.1:9464', WORKER_PROBE_PORT: 3002 });
    expect(['worker' as const, 'worker' as const, 'records' as const, 'api' as const].map(ports)).toEqual([
      { METRICS_ADDRESS: '127.0.0.1:9464', WORKER_PROBE_PORT: '3002' },
      { METRICS_ADDRESS: '127.0.0.1:9465', WORKER_PROBE_PORT: '3003' },
      { METRICS_ADDRESS: '127.0.0.1:9466' },
      { METRICS_ADDRESS: '127.0.0.1:9467' },
    ]);
  });

  it('keep the brackets of an IPv6 address', () => {
    const ports = createOwnPorts({ METRICS_ADDRESS: '[::1]:9464', WORKER_PROBE_PORT: undefined });
    expect(['api' as const, 'api' as const].map(ports)).toEqual([
      { METRICS_ADDRESS: '[::1]:9464' },
      { METRICS_ADDRESS: '[::1]:9465' },
    ]);
  });

  it('are free ones where the settings say 0', () => {
    const ports = createOwnPorts({ METRICS_ADDRESS: '127.0.0.1:0', WORKER_PROBE_PORT: 0 });
    const free = { METRICS_ADDRESS: '127.0.0.1:0', WORKER_PROBE_PORT: '0' };
    expect(['worker' as const, 'worker' as const].map(ports)).toEqual([free, free]);
  });

  it('are left alone where none are set', () => {
    const ports = createOwnPorts({ METRICS_ADDRESS: undefined, WORKER_PROBE_PORT: undefined });
    expect(ports('worker')).toEqual({});
  });
});
