import { Socket } from 'node:net';
import { LINK_FD } from './parent-link';

// A thread's entry, see `followParent`. The parent never writes; it only holds its end open as long as it lives.
new Socket({ fd: LINK_FD, readable: true, writable: false })
  .on('error', () => undefined)
  .on('close', () => process.kill(process.pid, 'SIGKILL'))
  .resume();
