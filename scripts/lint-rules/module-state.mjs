/** Methods by which an array is changed in place. */
const CHANGING = new Set([
  ...['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin'],
]);
/** What goes by the `lastIndex` of a regular expression with the flag `g` or `y`. Methods of strings set it back. */
const STATEFUL = new Set(['exec', 'test', 'lastIndex']);

/**
 * An array or object of a module that is changed, and a regular expression of a module that remembers where it was: both are there
 * for the next run that shares the module. Looks at literals and at uses in the same file.
 */
export const moduleState = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      changed:
        'All runs of a worker share this module, so what it holds is not changed: make it where it is used.',
      regex:
        'All runs of a worker share this regular expression and its lastIndex: make it where it is used.',
    },
  },
  create(context) {
    return {
      'Program:exit'(program) {
        const { scopeManager } = context.sourceCode;
        const scopes = [scopeManager.acquire(program), scopeManager.acquire(program, true)];
        for (const variable of new Set(scopes.flatMap((scope) => scope?.variables ?? [])))
          for (const [node, messageId] of problemsOf(variable)) context.report({ node, messageId });
      },
    };
  },
};

function problemsOf({ defs, references }) {
  const value = literalOf(defs[0]?.node?.init);
  const members = references
    .filter(({ identifier }) => identifier.parent.object === identifier)
    .map(({ identifier }) => identifier.parent);
  if (value?.type === 'ArrayExpression' || value?.type === 'ObjectExpression')
    return members.filter(isChanged).map((node) => [node, 'changed']);
  if (/[gy]/.test(value?.regex?.flags ?? ''))
    return members.filter(({ property }) => STATEFUL.has(property.name)).map((node) => [node, 'regex']);
  return [];
}

/** What is left of a value without `as const` and its like. */
function literalOf(node) {
  return node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression'
    ? literalOf(node.expression)
    : node;
}

/** Whether a member, or one of what it holds, is assigned, deleted or changed by a method. */
function isChanged(member) {
  let top = member;
  while (top.parent.type === 'MemberExpression' && top.parent.object === top) top = top.parent;
  const { parent } = top;
  switch (parent.type) {
    case 'AssignmentExpression':
      return parent.left === top;
    case 'UpdateExpression':
      return true;
    case 'UnaryExpression':
      return parent.operator === 'delete';
    case 'CallExpression':
      return parent.callee === top && CHANGING.has(top.property.name);
    default:
      return false;
  }
}
