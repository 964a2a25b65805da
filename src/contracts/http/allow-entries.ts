import { z } from 'zod';

/** A request, and the settings, may have up to this number of entries of each kind. */
export const MAX_ALLOWED = 100;

const HOST = /^(?:\*|(?:(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?)$/;
// The line ends are listed, because `.` excludes more of them in JavaScript than in other languages that read the
// OpenAPI document.
const FILE = /^(?!\/)(?!(?:[^\n\r\u2028\u2029]*\/)?\.\.(?:\/|$))[^\n\r\u2028\u2029]+$/;

/** An entry is `example.com`, `example.com:8443`, `*.example.com` for the hosts below it, or `*` for every host. */
export const allowedHostSchema = z
  .string()
  .max(260, 'must have at most 260 characters')
  .regex(HOST, 'has to be like example.com, example.com:8443, *.example.com or *, in ASCII')
  .toLowerCase();

/** An entry is a path inside the file folder, a folder of it that ends with `/`, or `*` for every file. */
export const allowedFileSchema = z
  .string()
  .max(1_000, 'must have at most 1000 characters')
  .regex(FILE, 'has to be a path inside of the file folder, a folder such as reports/, or *');

/** An entry is the name of a remote tool, `server.*` for all tools of a server, or `*` for every remote tool. */
export const allowedToolSchema = z
  .string()
  .max(64, 'must have at most 64 characters')
  .regex(
    /^(?:\*|[A-Za-z][A-Za-z0-9_-]*\.(?:\*|[A-Za-z0-9_.-]+))$/,
    'has to be like server.tool, server.* or *',
  );
