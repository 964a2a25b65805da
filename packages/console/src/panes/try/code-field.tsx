import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Completion } from './completion';
import type { Mark } from './json-places';

interface CodeFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What is wrong, by line. */
  readonly marks: readonly Mark[];
  readonly complete: (text: string, caret: number) => Completion | undefined;
}

/** A field for a long JSON text: its lines have numbers and marks, and what may be written at the caret is listed below. */
export function CodeField({ label, text, onText, marks, complete }: CodeFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number>();
  /** Where the caret goes once the text has changed. */
  const next = useRef<number>();
  const lines = text.split('\n');
  const marked = new Set(marks.map(({ line }) => line));
  const offer = caret === undefined ? undefined : complete(text, caret);
  const moveTo = (offset: number): void => {
    field.current?.focus();
    field.current?.setSelectionRange(offset, offset);
    setCaret(offset);
  };
  useLayoutEffect(() => {
    if (next.current !== undefined) moveTo(next.current);
    next.current = undefined;
  });
  const insert = (option: string, { from, to }: Completion): void => {
    next.current = from + option.length;
    onText(text.slice(0, from) + option + text.slice(to));
  };
  return (
    <div class="json-edit">
      <label for={id}>{label}</label>
      <div class="code">
        <div class="gutter" aria-hidden="true">
          {lines.map((_, at) => (
            <span key={at} class={marked.has(at + 1) ? 'marked' : undefined}>
              {at + 1}
            </span>
          ))}
        </div>
        <textarea
          id={id}
          ref={field}
          class="json-field"
          wrap="off"
          spellcheck={false}
          rows={lines.length}
          value={text}
          aria-invalid={marks.length > 0}
          aria-describedby={`${id}-problems`}
          onInput={({ currentTarget }) => {
            onText(currentTarget.value);
            setCaret(currentTarget.selectionStart);
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        />
      </div>
      <ul class="options" aria-label="Suggestions">
        {offer?.options.map((option) => (
          <li key={option}>
            <button type="button" onClick={() => insert(option, offer)}>
              {option}
            </button>
          </li>
        ))}
      </ul>
      <ul id={`${id}-problems`} class="mistakes" aria-live="polite">
        {marks.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            <button
              type="button"
              class="link"
              onClick={() => moveTo(lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0))}
            >
              line {line}
            </button>{' '}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
