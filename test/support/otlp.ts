/** What one process sent about itself: attributes of the process, and the names of its metrics. */
export interface SentFigures {
  readonly resource: Readonly<Record<string, string>>;
  readonly names: readonly string[];
}

/** Reads a metrics request of the OpenTelemetry protocol, in protobuf, as far as tests need it. */
export function parseOtlp(body: Buffer): SentFigures[] {
  return messages(body, 1).map((ofProcess) => ({
    resource: Object.fromEntries(
      messages(ofProcess, 1)
        .flatMap((resource) => messages(resource, 1))
        .map((attribute) => [
          text(attribute, 1),
          messages(attribute, 2).map((value) => text(value, 1))[0] ?? '',
        ]),
    ),
    names: messages(ofProcess, 2)
      .flatMap((scope) => messages(scope, 2))
      .map((figure) => text(figure, 1)),
  }));
}

const text = (message: Buffer, field: number): string => messages(message, field)[0]?.toString('utf8') ?? '';

/** The length-delimited values of a field: texts and messages. */
function messages(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const kind = tag & 7;
    if (kind === 0) varint();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else {
      const length = varint();
      if (tag >>> 3 === wanted) found.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}
