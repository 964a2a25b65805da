import { DefaultPayloadConverter, type Payload } from '@temporalio/common';
import { lazyJson, writeWithLazy } from '../../src/contracts/large-json';
import { PLAIN, PlainValue, UnreadValue } from '../../src/contracts/runs/external-calls';
import { OUTPUT_AT } from '../../src/contracts/runs/outputs';

/**
 * Converts the values of workflows. Large outputs of tools are parsed only if a workflow reads a part of them, because
 * all runs of a worker share the thread. Runs in the workflows' sandbox; the other processes need the SDK's own converter.
 */
class LazyPayloadConverter extends DefaultPayloadConverter {
  #hasLazy = false;

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as the SDK declares it
  override toPayload<T>(value: T): Payload {
    if (value instanceof PlainValue) {
      const payload = super.toPayload(value.value);
      return { ...payload, metadata: { ...payload.metadata, [PLAIN]: IS_PLAIN } };
    }
    const parts = this.#hasLazy ? writeWithLazy(value, markOf) : undefined;
    if (parts === undefined) return super.toPayload(value);
    // Any other value of JSON is converted for its metadata.
    return { ...super.toPayload(null), data: concat(parts) };
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as the SDK declares it
  override fromPayload<T>(payload: Payload): T {
    const at = payload.metadata?.[OUTPUT_AT];
    if (at == null || payload.data == null) return this.#fromAny(payload) as T;
    this.#hasLazy = true;
    const { data } = payload;
    const from = Number(super.fromPayload({ ...payload, data: at }));
    const named = { ...payload, data: concat([data.subarray(0, from), CLOSED]) };
    // The field before has a null in the place of the output.
    const result: { output: unknown } = super.fromPayload(named);
    result.output = lazyJson(data.subarray(from, data.length - 1));
    return result as T;
  }

  /** An error here would fail the workflow task, and each repeat of it, so a value of another worker that is not read stays one. */
  #fromAny(payload: Payload): unknown {
    const encoding = textOf(payload.metadata?.['encoding']);
    if (READ.has(encoding)) return super.fromPayload(payload);
    if (encoding !== PROTOBUF_JSON) return new UnreadValue(encoding);
    return super.fromPayload({ ...payload, metadata: { ...payload.metadata, encoding: PLAIN_JSON } });
  }
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return bytes == null ? '' : String.fromCharCode(...bytes);
}

const READ: ReadonlySet<string> = new Set(['json/plain', 'binary/plain', 'binary/null']);
/** What SDKs write for messages of protocol buffers: JSON too. */
const PROTOBUF_JSON = 'json/protobuf';
const PLAIN_JSON = Uint8Array.from('json/plain', (character) => character.charCodeAt(0));

/** A mark must not come from `Math.random`, whose next values the workflow's own code gets. */
function markOf(attempt: number): string {
  return `large ${Date.now()} ${attempt}`;
}

const IS_PLAIN = new Uint8Array([0x31]);
/** `null}` */
const CLOSED = new Uint8Array([0x6e, 0x75, 0x6c, 0x6c, 0x7d]);

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The SDK finds the converter by this name. */
export const payloadConverter = new LazyPayloadConverter();
