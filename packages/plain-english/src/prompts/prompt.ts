/** A prompt cut into what is asked and the text it is asked of. */
export interface Prompt {
  readonly whole: string;
  /** What comes before the first colon or line break that text follows. */
  readonly instruction: string;
  /** The text after it, or inside the only quotation; empty without such a text. */
  readonly subject: string;
}

/** Longest instruction, characters. */
const MAX_INSTRUCTION = 300;

export function splitPrompt(whole: string): Prompt {
  const cut = findCut(whole);
  if (cut !== undefined) {
    return { whole, instruction: whole.slice(0, cut).trim(), subject: unquote(whole.slice(cut + 1).trim()) };
  }
  const quoted = /"([^"]+)"|“([^”]+)”/.exec(whole);
  if (quoted) {
    const subject = quoted[1] ?? quoted[2] ?? '';
    return { whole, instruction: whole.replace(quoted[0], ' ').trim(), subject };
  }
  return { whole, instruction: whole, subject: '' };
}

function findCut(whole: string): number | undefined {
  const head = whole.slice(0, MAX_INSTRUCTION);
  const colon = /:(?=\s)/.exec(head)?.index;
  const line = head.indexOf('\n');
  const cuts = [colon, line === -1 ? undefined : line].filter(
    (at) => at !== undefined && whole.slice(at + 1).trim() !== '',
  );
  return cuts.length === 0 ? undefined : Math.min(...cuts.map((at) => at ?? 0));
}

function unquote(text: string): string {
  const inner = /^"([^"]*)"[.]?$/.exec(text) ?? /^“([^”]*)”[.]?$/.exec(text);
  return inner?.[1] ?? text;
}
