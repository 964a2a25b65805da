export { freePort } from '../../cluster/processes/free-port';
