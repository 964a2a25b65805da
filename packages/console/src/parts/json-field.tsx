import { useId } from 'preact/hooks';

export interface ParsedJson {
  readonly value?: unknown;
  readonly problem?: string;
}

export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

interface JsonFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What is wrong with a value that is JSON; absent: nothing is checked. */
  readonly check?: (value: unknown) => readonly string[];
}

const MAX_LINES = 24;

/** A field for JSON, which says at once what is wrong with it. */
export function JsonField({ label, text, onText, check }: JsonFieldProps) {
  const id = useId();
  const { value, problem } = parseJson(text);
  const problems = problem === undefined ? (check?.(value) ?? []) : [problem];
  return (
    <div class="json-edit">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="json-field"
        spellcheck={false}
        rows={Math.min(MAX_LINES, Math.max(3, text.split('\n').length))}
        value={text}
        aria-invalid={problems.length > 0}
        aria-describedby={`${id}-problems`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <ul id={`${id}-problems`} class="mistakes" aria-live="polite">
        {problems.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  );
}
