/**
 * Refuses `...(x === undefined ? {} : { x })` and the same of a member. `x` alone is shorter and nearly always the same: JSON leaves
 * out what is undefined, and a reader of a property gets undefined either way. The spread is right where presence counts:
 * over defaults that undefined must not replace, and for code that asks for the keys.
 */
export const conditionalSpread = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      plain: 'Write {{property}} without the spread: a property that is undefined counts as absent.',
    },
  },
  create(context) {
    const textOf = (node) => context.sourceCode.getText(node);
    return {
      "ObjectExpression > SpreadElement > ConditionalExpression[test.operator='==='][test.right.type='Identifier'][test.right.name='undefined'][consequent.properties.length=0][alternate.properties.length=1]"({
        test: { left },
        alternate,
      }) {
        const [property] = alternate.properties;
        const isSame =
          property.type === 'Property' && !property.computed && property.key.name === nameOf(left);
        if (isSame && textOf(property.value) === textOf(left))
          context.report({ node: property, messageId: 'plain', data: { property: textOf(property) } });
      },
    };
  },
};

/** The name of an identifier, or of the member that an expression reads; undefined for anything else. */
function nameOf(node) {
  return node.type === 'MemberExpression' && !node.computed ? node.property.name : node.name;
}
