import { Socket } from 'node:net';
import { LINK_FD } from './parent-link';

// The entry of the thread of `followParent`. The parent never writes to the descriptor; it keeps it open as long as it lives.
new Socket({ fd: LINK_FD, readable: true, writable: false })
  .on('error', () => undefined)
  .on('close', () => process.kill(process.pid, 'SIGKILL'))
  .resume();
