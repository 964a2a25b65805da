// The service loads this file first, by NODE_OPTIONS. It then asks a name server that never answers, and not those of the
// machine, which may answer that the names of an attack do not exist.
import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';

/** It receives what is asked, so that no error says that there is no server. */
const server = createSocket('udp4').bind(0, '127.0.0.1').unref();

class SilentResolver extends promises.Resolver {
  constructor(...options: ConstructorParameters<typeof promises.Resolver>) {
    super(...options);
    this.setServers([`127.0.0.1:${server.address().port}`]);
  }
}

Object.assign(promises, { Resolver: SilentResolver });
