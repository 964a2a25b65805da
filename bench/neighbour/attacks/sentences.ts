import { type Attack, repeat } from './attack';

const PATH = '/api/tools/mcp';
/** The longest query that a caller may send, and a shorter one. */
const LENGTHS = [10_000, 1_000];
/** Texts whose repetition takes the rules long. */
const REPEATED = ['else if ', 'I live in Leeds. ', 'I swapped my bike for a boat. ', '"a" !=}.€ '];

const TOOLS = 50;
const PARAMETERS = 64;
const VALUES = 20;
const ADJECTIVES = ['small', 'old', 'bright', 'heavy', 'quiet', 'early', 'open', 'round', 'warm', 'narrow'];
const NOUNS = ['box', 'room', 'garden', 'letter', 'engine', 'window', 'market', 'river', 'table', 'ticket'];
const SENTENCE =
  'please move the small heavy box from the old warm room beside the narrow river to the open market near the round garden, ' +
  'and send the early letter about the quiet engine with a bright ticket';

/** Words of the lexicon, because the rules look for their relatives. */
function wordOf(n: number): string {
  const [adjective, noun] = [ADJECTIVES[n % 10], NOUNS[Math.floor(n / 10) % 10]];
  return `${adjective} ${noun} ${Math.floor(n / 100)}`;
}

function buildTool(n: number): object {
  const parameters = Array.from({ length: PARAMETERS }, (_, at): [string, object] => {
    const values = Array.from({ length: VALUES }, (__, value) => wordOf(n * 7 + at * VALUES + value));
    return [
      `${ADJECTIVES[at % 10]}_${NOUNS[(at + n) % 10]}_${at}`,
      { type: 'string', enum: values, required: false },
    ];
  });
  return {
    name: `mover_${n}`,
    description: `Moves a ${wordOf(n)} to a ${wordOf(n + 11)}`,
    parameters: Object.fromEntries(parameters),
    execute: '() => "moved"',
  };
}

/** The text as often as fits into the n-th length. */
function repeatText(text: string, n: number): string {
  return text.repeat(Math.floor((LENGTHS[n % LENGTHS.length] as number) / text.length));
}

/** Sentences that take the rules long. The amount is that of sentences, sent at once. */
export const sentenceAttacks: readonly Attack[] = [
  {
    name: 'sentences of `$.`',
    amount: { few: 8, all: 20 },
    send: ({ send }, amount) =>
      repeat(amount, (n) => send('POST', PATH, { body: { query: repeatText('$.', n) } })),
  },
  {
    name: 'sentences that repeat a text',
    amount: { few: 8, all: 40 },
    send: ({ send }, amount) =>
      repeat(amount, (n) => {
        const text = REPEATED[Math.floor(n / LENGTHS.length) % REPEATED.length] as string;
        return send('POST', PATH, { body: { query: repeatText(text, n) } });
      }),
  },
  {
    name: `sentences of 190 characters beside ${TOOLS} tools of ${PARAMETERS} parameters with ${VALUES} values`,
    amount: { few: 2, all: 4 },
    async send({ send }, amount) {
      await repeat(TOOLS, (n) => send('POST', '/api/tools/register', { body: buildTool(n) }), 4);
      await repeat(amount, () => send('POST', PATH, { body: { query: SENTENCE } }));
      await repeat(TOOLS, (n) => send('DELETE', `/api/tools/mover_${n}`), 4);
    },
  },
];
