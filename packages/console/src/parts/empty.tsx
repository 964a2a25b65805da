import { needsKey } from '../session';
import { Copy } from './copy';
import { curlLine } from './curl';

export interface EmptyProps {
  /** What would be here. */
  readonly text: string;
  /** The request that makes it so, as `POST /api/tools/execute`, and its body. */
  readonly request?: { readonly method: string; readonly path: string; readonly body?: unknown };
}

/** What a pane says that has nothing to show, with the line for a terminal that changes this. */
export function Empty({ text, request }: EmptyProps) {
  return (
    <div class="empty">
      <p>{text}</p>
      {request !== undefined && <CurlLine {...request} />}
    </div>
  );
}

function CurlLine(request: NonNullable<EmptyProps['request']>) {
  const line = curlLine(request, location.origin, needsKey);
  return (
    <div class="curl">
      <pre tabIndex={0} aria-label="A command for a terminal">
        {line}
      </pre>
      <Copy text={line} label="copy" />
    </div>
  );
}
