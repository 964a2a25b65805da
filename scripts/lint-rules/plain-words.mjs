import { findRefusedWords, REFUSED_NAMES, splitName } from './refused-words.mjs';

/**
 * Refuses the words of `refused-words.mjs` in comments, strings, templates and names, and the names in it for limits.
 * Each option that is false leaves out one of the three places. A name is reported once in a file, where it first
 * stands.
 */
export const plainWords = {
  meta: {
    type: 'suggestion',
    schema: [
      {
        type: 'object',
        properties: {
          comments: { type: 'boolean' },
          strings: { type: 'boolean' },
          names: { type: 'boolean' },
        },
        additionalProperties: false,
      },
    ],
    messages: {
      word: '"{{word}}" is not plain: {{instead}}.',
      name: '{{name}}: the name of a limit begins with MAX_ or MIN_.',
    },
  },
  create(context) {
    const { comments = true, strings = true, names = true } = context.options[0] ?? {};
    const { sourceCode } = context;
    const seenNames = new Set();

    function reportWords(text, locate) {
      for (const { word, instead, index } of findRefusedWords(text))
        context.report({ ...locate(index), messageId: 'word', data: { word, instead } });
    }

    function checkName(node) {
      const { name } = node;
      if (seenNames.has(name)) return;
      seenNames.add(name);
      if (REFUSED_NAMES.test(name)) context.report({ node, messageId: 'name', data: { name } });
      if (names) reportWords(splitName(name), () => ({ node }));
    }

    function checkString(node, text) {
      if (strings) reportWords(text, () => ({ node }));
    }

    return {
      Program() {
        if (!comments) return;
        for (const { value, range } of sourceCode.getAllComments())
          // The text of a comment begins after the two characters that open it.
          reportWords(value, (index) => ({ loc: sourceCode.getLocFromIndex(range[0] + 2 + index) }));
      },
      Identifier: checkName,
      PrivateIdentifier: checkName,
      Literal(node) {
        if (typeof node.value === 'string') checkString(node, node.value);
      },
      TemplateElement(node) {
        checkString(node, node.value.cooked ?? node.value.raw);
      },
    };
  },
};
