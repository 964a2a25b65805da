import { useState } from 'preact/hooks';
import { Copy } from './copy';

/** How many entries of a list or an object are shown before the rest is asked for. */
const PAGE = 50;
/** Longer texts are cut until they are opened. */
const LONG_TEXT = 400;

interface JsonTreeProps {
  readonly value: unknown;
  /** The path of the value, as a definition names it: `order.result`; absent: paths are not copied. */
  readonly path?: string | undefined;
  /** How many levels are open at first. */
  readonly open?: number;
}

/** A JSON value as a tree. The path of each entry can be copied, ready for a template: `{{order.result.amount}}`. */
export function JsonTree({ value, path, open = 2 }: JsonTreeProps) {
  return (
    <div class="json">
      <Node value={value} path={path} open={open} />
    </div>
  );
}

interface NodeProps extends JsonTreeProps {
  readonly name?: string;
  readonly open: number;
}

function Node({ name, value, path, open }: NodeProps) {
  const [isOpen, setOpen] = useState(open > 0);
  const [shown, setShown] = useState(PAGE);
  const label = name === undefined ? null : <Name name={name} path={path} />;
  const isList = Array.isArray(value);
  const entries = Object.entries<unknown>(typeof value === 'object' && value !== null ? { ...value } : {});
  if (entries.length === 0)
    return (
      <div class="leaf">
        {label}
        <Scalar value={value} />
      </div>
    );
  const size = `${entries.length} ${isList ? 'item' : 'field'}${entries.length === 1 ? '' : 's'}`;
  return (
    <div class="branch">
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
        <span class="unseen">{name ?? 'value'}</span>
      </button>
      {label}
      <span class="quiet">{size}</span>
      {isOpen && (
        <div class="entries">
          {entries.slice(0, shown).map(([each, child]) => (
            <Node
              key={each}
              name={each}
              value={child}
              path={path === undefined ? undefined : joinPath(path, each)}
              open={open - 1}
            />
          ))}
          {entries.length > shown && (
            <button type="button" class="link" onClick={() => setShown(shown + 4 * PAGE)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function Name({ name, path }: { name: string; path: string | undefined }) {
  if (path === undefined) return <span class="name">{name}</span>;
  return (
    <span class="name" title={path}>
      <Copy text={`{{${path}}}`} label={name} quiet />
    </span>
  );
}

function Scalar({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value === 'object' && value !== null)
    return <span class="quiet">{Array.isArray(value) ? '[ ]' : '{ }'}</span>;
  if (typeof value !== 'string') return <span class="scalar">{String(value)}</span>;
  if (isWhole || value.length <= LONG_TEXT) return <span class="text">{value}</span>;
  return (
    <span class="text">
      {value.slice(0, LONG_TEXT)}…{' '}
      <button type="button" class="link" onClick={() => setWhole(true)}>
        all {value.length} characters
      </button>
    </span>
  );
}
