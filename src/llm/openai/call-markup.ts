/** One call in the markup of a model. */
export interface Block {
  /** The name of the function, if the markup has it outside of the JSON. */
  readonly name?: string;
  readonly body: string;
}

/** A form in which models write calls. */
interface Markup {
  /** Whether a text has the markup. */
  readonly sign: RegExp;
  /** @returns the calls, and what stands around them */
  split(text: string): { readonly blocks: readonly Block[]; readonly rest: string };
}

/** A mark after one of these is a mark that the text is about. */
const NOT_QUOTED = '(?<![`"\'])';

/**
 * The forms, by what decides first. `name` and `body` are groups of the expression for one call. A closing mark may be
 * missing, as servers that stop at it leave it out.
 */
export const MARKUPS: readonly Markup[] = [
  // Qwen 3 Coder has the function as an element within the mark of Hermes.
  elements(/<function=/, /<function=(?<name>[^>={\s]{1,200})(?:>|=)?(?<body>[\s\S]*?)(?:<\/?function>|$)/g, [
    /<\/?tool_call>/g,
  ]),
  elements(/<invoke name="/, /<invoke name="(?<name>[^"]{1,200})">(?<body>[\s\S]*?)(?:<\/invoke>|$)/g, [
    /<\/?(?:\w+:)?(?:function_calls|tool_call)>/g,
  ]),
  elements(/<tool_call>/, /<tool_call>(?<body>[\s\S]*?)(?:<\/tool_call>|(?=<tool_call>)|$)/g),
  // Mistral: a list after the mark, or the name before the arguments.
  elements(
    /\[TOOL_CALLS\]/,
    /\[TOOL_CALLS\]\s*(?:(?<name>[^\s[\]{}"]{1,200}?)(?:\[CALL_ID\][^\s[\]{}]{1,200})?(?:\[ARGS\])?\s*(?=\{))?(?<body>[\s\S]*?)(?=\[TOOL_CALLS\]|$)/g,
    [/<\/s>$/],
  ),
  elements(/<\|python_tag\|>/, /<\|python_tag\|>(?<body>[\s\S]*?)(?:<\|eo[mt]_id\|>|$)/g),
  elements(
    /<\|channel\|>commentary to=/,
    /(?:<\|start\|>assistant)?<\|channel\|>commentary to=(?<name>\S{1,200}?)\s*(?:<\|constrain\|>)?\s*(?:json)?\s*<\|message\|>(?<body>[\s\S]*?)(?:<\|call\|>|$)/g,
  ),
];

/** @param around expressions for what may stand around the calls */
function elements(sign: RegExp, call: RegExp, around: readonly RegExp[] = []): Markup {
  const split: Markup['split'] = (text) => {
    const inner = around.reduce((left, mark) => left.replace(mark, ''), text);
    const blocks = [...inner.matchAll(call)].map(({ groups = {} }) => ({
      name: groups['name'],
      body: groups['body'] ?? '',
    }));
    return { blocks, rest: inner.replace(call, '').trim() };
  };
  return { sign: new RegExp(`${NOT_QUOTED}${sign.source}`), split };
}

/** Markup in forms that are not read, from its beginning to its end. */
export const OTHER_BLOCKS: readonly RegExp[] = [
  /^```tool_code\b[\s\S]*?(?:^```[ \t]*$|(?![\s\S]))/gm,
  /<｜tool▁calls?▁begin｜>[\s\S]*?(?:<｜tool▁calls▁end｜>|$)/g,
  /<\|tool_calls?_(?:section_)?begin\|>[\s\S]*?(?:<\|tool_calls_section_end\|>|$)/g,
  /<(?:\w+:)?function_calls>[\s\S]*?(?:<\/(?:\w+:)?function_calls>|$)/g,
  /<\/tool_call>/g,
];
/** How a text begins that is markup. */
const BEGINNING =
  /^(?:<\/?(?:\w+:)?(?:tool_call|function_calls)>|<function=|<invoke name="|\[TOOL_CALLS\]|<\|(?:start|channel|python_tag|tool_)|<｜tool▁|```tool_code\b)/;
/** A beginning that has not come as a whole, and the line that opens a fence. */
const UNDECIDED = /^(?:<[^\s>]{0,40}|<invoke [a-z="]{0,6}|\[[A-Z_]{0,10}|`{1,3}[\w-]*)?$/;

/** Whether a text that grows begins with markup of calls, or may do so once more of it has come. Pure. */
export function mayBeginCallMarkup(soFar: string): boolean {
  const text = soFar.trimStart().replace(/^```(?!tool_code)[\w-]*[ \t]*\n\s*/, '');
  return BEGINNING.test(text) || UNDECIDED.test(text);
}
