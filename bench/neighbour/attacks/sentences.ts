import { type Attack, repeat } from './attack';

const PATH = '/api/tools/mcp';
const MAX_QUERY = 10_000;
/** Texts whose repetition takes the rules long. */
const REPEATED = ['$.', 'else if ', 'I live in Leeds. ', 'I swapped my bike for a boat. ', '"a" !=}.€ '];

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

function toolOf(n: number): object {
  const parameters = Array.from({ length: PARAMETERS }, (_, at) => {
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

/** Sentences that take the rules long. The amount is that of sentences, sent at once. */
export const sentenceAttacks: readonly Attack[] = [
  {
    name: 'sentences of 10,000 characters of `$.`',
    amount: { few: 8, all: 20 },
    send: ({ send }, amount) =>
      repeat(amount, () => send('POST', PATH, { body: { query: '$.'.repeat(MAX_QUERY / 2) } })),
  },
  {
    name: 'sentences of 10,000 characters that repeat a text',
    amount: { few: 5, all: 20 },
    send: ({ send }, amount) =>
      repeat(amount, (n) => {
        const text = REPEATED[n % REPEATED.length] as string;
        return send('POST', PATH, { body: { query: text.repeat(Math.floor(MAX_QUERY / text.length)) } });
      }),
  },
  {
    name: `sentences of 190 characters beside ${TOOLS} tools of ${PARAMETERS} parameters with ${VALUES} values`,
    amount: { few: 2, all: 4 },
    async send({ send }, amount) {
      await repeat(TOOLS, (n) => send('POST', '/api/tools/register', { body: toolOf(n) }), 4);
      await repeat(amount, () => send('POST', PATH, { body: { query: SENTENCE } }));
      await repeat(TOOLS, (n) => send('DELETE', `/api/tools/mover_${n}`), 4);
    },
  },
];
