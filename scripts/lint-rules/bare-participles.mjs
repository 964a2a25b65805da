/** Participles that say what happened to a thing, and not what it is. */
const PARTICIPLES = new Set(['asked', 'found', 'kept', 'own', 'said']);

/**
 * Refuses variables, parameters and functions whose whole name is a participle of the list. A property that is read by
 * destructuring keeps its name, because other code and stored data may have it.
 */
export const bareParticiples = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { noun: '"{{name}}" does not say what it is: add the noun, as in ownTools or foundRun.' },
  },
  create(context) {
    return {
      'Program:exit'() {
        for (const { variables } of context.sourceCode.scopeManager.scopes)
          for (const { name: node } of variables.flatMap(({ defs }) => defs))
            if (PARTICIPLES.has(node.name) && !isPropertyName(node))
              context.report({ node, messageId: 'noun', data: { name: node.name } });
      },
    };
  },
};

/** Whether a pattern has the name alone, as in `const { kept } = …` and `const { kept = [] } = …`. */
function isPropertyName(node) {
  const { parent } = node.parent.type === 'AssignmentPattern' ? node.parent : node;
  return parent.type === 'Property' && parent.shorthand;
}
