import type { components, paths } from './generated/api.js';
import type { components as recordComponents, paths as recordPaths } from './generated/records.js';

/** The operations of the API, by path and method. */
export type ApiPaths = paths;
/** The operations of the API of records, which has a port of its own. */
export type RecordsPaths = recordPaths;
/** The named types of the API, as in `Schemas['Run']`. */
export type Schemas = components['schemas'];
/** The named types of the API of records. */
export type RecordsSchemas = recordComponents['schemas'];
/** A workflow of typed steps, as a request or a file has it. */
export type WorkflowDefinition = Schemas['WorkflowDefinition'];
export type WorkflowStep = Schemas['WorkflowStep'];
export type Run = Schemas['Run'];
export type RunEvent = Schemas['RunEvent'];
/** A sign of life of a run, such as `message.delta`, which only those get who follow the run. */
export type RunSign = Schemas['RunSign'];
export type AcceptedRun = Schemas['AcceptedRun'];
export type AgentAnswer = Schemas['AgentAnswer'];
export type ErrorBody = Schemas['Error'];

/** The operations of an API, each typed whole: `GET('/api/runs', { params: { query: { limit: 5 } } })`. */
export interface Operations<P extends object> {
  readonly GET: Caller<P, 'get'>;
  readonly POST: Caller<P, 'post'>;
  readonly PUT: Caller<P, 'put'>;
  readonly PATCH: Caller<P, 'patch'>;
  readonly DELETE: Caller<P, 'delete'>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Calls the operations with one method. The request is no type parameter of the function, so that the compiler refuses fields
 * that the operation does not have.
 */
export type Caller<P extends object, M extends Method> = <K extends PathsOf<P, M>>(
  path: K,
  ...init: IsOptional<Init<OperationOf<P, K, M>>> extends true
    ? [init?: Init<OperationOf<P, K, M>>]
    : [init: Init<OperationOf<P, K, M>>]
) => Promise<Answer<BodyOf<OperationOf<P, K, M>>>>;

type PathsOf<P, M extends Method> = {
  [K in keyof P]: P[K] extends Record<M, object> ? K : never;
}[keyof P];
type OperationOf<P, K extends keyof P, M extends Method> = P[K] extends Record<M, infer O> ? O : never;
/** Whether nothing has to be given. */
type IsOptional<T> = Partial<T> extends T ? true : false;

/** How a request is sent. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** How the body of a success is read; default `json`. */
  readonly parseAs?: 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';
  /** Writes a body that is no JSON. */
  readonly bodySerializer?: (body: unknown) => string;
}

type Init<O> = CallOptions & Params<O> & RequestBody<O>;
type Params<O> = O extends { parameters: infer P }
  ? IsOptional<P> extends true
    ? { readonly params?: P }
    : { readonly params: P }
  : unknown;
type RequestBody<O> = O extends { requestBody: { content: infer C } }
  ? { readonly body: C[keyof C] }
  : O extends { requestBody?: { content: infer C } }
    ? { readonly body?: C[keyof C] }
    : unknown;

/** The JSON that an operation answers with. */
type BodyOf<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 201 | 202)]> : never;
type Json<R> = R extends { content: { 'application/json': infer B } } ? B : never;

/** What an operation answers: `data` is the envelope of a success, `error` that of any other answer. */
export type Answer<B> =
  | { readonly data: B; readonly error?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly error: ErrorBody; readonly response: Response };
