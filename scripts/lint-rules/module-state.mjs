/** Methods by which an array is changed in place. */
const CHANGING = new Set([
  ...['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin'],
]);
/**
 * Members of a regular expression that use `lastIndex` if it has the flag `g` or `y`. Methods of strings reset it.
 */
const STATEFUL = new Set(['exec', 'test', 'lastIndex']);

/**
 * Refuses changes to an array or object of a module, and regular expressions of a module that keep a `lastIndex`,
 * because the next run that shares the module would see what an earlier one has left. The rule looks at literals and
 * at their uses in the same file.
 */
export const moduleState = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      changed:
        'All runs of a worker share this module, so its values must not be changed: create the value where it is used.',
      regex:
        'All runs of a worker share this regular expression and its lastIndex: create it where it is used.',
    },
  },
  create(context) {
    return {
      'Program:exit'(program) {
        const { scopeManager } = context.sourceCode;
        const scopes = [scopeManager.acquire(program), scopeManager.acquire(program, true)];
        for (const variable of new Set(scopes.flatMap((scope) => scope?.variables ?? [])))
          for (const [node, messageId] of findProblems(variable)) context.report({ node, messageId });
      },
    };
  },
};

function findProblems({ defs, references }) {
  const value = unwrapLiteral(defs[0]?.node?.init);
  const members = references
    .filter(({ identifier }) => identifier.parent.object === identifier)
    .map(({ identifier }) => identifier.parent);
  if (value?.type === 'ArrayExpression' || value?.type === 'ObjectExpression')
    return members.filter(isChanged).map((node) => [node, 'changed']);
  if (/[gy]/.test(value?.regex?.flags ?? ''))
    return members.filter(({ property }) => STATEFUL.has(property.name)).map((node) => [node, 'regex']);
  return [];
}

/** The value without `as const`, `as` and `satisfies` around it. */
function unwrapLiteral(node) {
  return node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression'
    ? unwrapLiteral(node.expression)
    : node;
}

/** Whether code assigns or deletes a member or one of its own members, or changes it by a method. */
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
