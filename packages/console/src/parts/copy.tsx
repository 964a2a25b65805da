import { useState } from 'preact/hooks';

const SAID_MS = 1_500;

async function copy(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  // Browsers offer the clipboard only to pages of this machine and of https. Elsewhere this command still copies.
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- There is nothing else without https.
  document.execCommand('copy');
  field.remove();
  return undefined;
}

interface CopyProps {
  readonly text: string | (() => string);
  /** What is copied, as the button says it. */
  readonly label: string;
  readonly quiet?: boolean;
}

/** A button that copies a text, and says so itself. */
export function Copy({ text, label, quiet = false }: CopyProps) {
  const [outcome, setOutcome] = useState<string>();
  const onClick = (): void => {
    copy(typeof text === 'string' ? text : text()).then(
      () => setOutcome('copied'),
      () => setOutcome('not allowed'),
    );
    setTimeout(() => setOutcome(undefined), SAID_MS);
  };
  return (
    <button type="button" class={quiet ? 'link' : undefined} onClick={onClick}>
      {outcome ?? label}
    </button>
  );
}
