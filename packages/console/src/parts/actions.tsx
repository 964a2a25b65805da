import { useState } from 'preact/hooks';
import { useSend } from '../api/send';
import { may } from '../session';
import { Problem } from './problem';

export interface Action {
  readonly name: string;
  readonly act: () => Promise<unknown>;
  /** It cannot be undone, so that it takes a second click. */
  readonly isFinal?: boolean;
  readonly isOff?: boolean;
  /** The scope that it takes, without which it is left out; absent: none. */
  readonly scope?: Parameters<typeof may>[0];
  /** It is what most readers want. */
  readonly isMain?: boolean;
}

interface ActionsProps {
  readonly actions: readonly Action[];
  readonly onDone?: () => void;
}

/** Buttons that ask something of the service, each once at a time. What is refused is said below them. */
export function Actions({ actions, onDone }: ActionsProps) {
  const { isSending, problem, send } = useSend();
  const [doubted, setDoubted] = useState<string>();
  const begin = ({ name, act, isFinal = false }: Action): void => {
    if (isFinal && doubted !== name) return setDoubted(name);
    setDoubted(undefined);
    return send(() => act().then(onDone));
  };
  return (
    <>
      <div class="actions">
        {actions
          .filter(({ scope }) => scope === undefined || may(scope))
          .map((action) => (
            <button
              key={action.name}
              type="button"
              class={action.isMain === true ? 'main' : undefined}
              disabled={isSending || action.isOff === true}
              onClick={() => begin(action)}
              onBlur={() => setDoubted(undefined)}
            >
              {doubted === action.name ? `${action.name} for good` : action.name}
            </button>
          ))}
      </div>
      <Problem problem={problem} />
    </>
  );
}
