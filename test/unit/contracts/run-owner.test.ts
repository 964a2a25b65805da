import {
  completePrefix,
  isRunOf,
  ownerQuery,
  tenantOfRun,
  tenantPrefix,
} from '../../../src/contracts/runs/run-owner';

const USER = '0123456789abcdef0123456789abcdef';
const OTHER = 'f'.repeat(32);

test.each([
  [{ tenant: 'default' }, 'execute-tool', 'execute-tool'],
  [{ tenant: 'acme' }, 'execute-tools/parallel', '@acme/execute-tools/parallel'],
  [{ tenant: 'default', user: USER }, 'execute-tool', `user/${USER}/execute-tool`],
  [{ tenant: 'acme', user: USER }, 'mcp', `@acme/user/${USER}/mcp`],
  // A turn names its user already, and an erasure must not be found among the runs that it deletes.
  [{ tenant: 'acme', user: USER }, `agent-turn/${USER}`, `@acme/agent-turn/${USER}`],
  [{ tenant: 'acme', user: USER }, 'erase-user-memories', '@acme/erase-user-memories'],
])('the ids of runs of %j of the kind %s begin with %s', (owner, kind, prefix) => {
  expect(completePrefix(owner, kind)).toBe(prefix);
});

test('a run belongs to the tenant and the user that its id names, and to no other', () => {
  const owners = ['default', 'acme', 'acme-2'].flatMap((tenant) => [
    { tenant, user: USER },
    { tenant, user: OTHER },
  ]);
  for (const owner of owners) {
    for (const kind of ['execute-tool', `agent-turn/${owner.user}`, `memory-chat-turn/${owner.user}`]) {
      const workflowId = `${completePrefix(owner, kind)}/01M8820PKBZWJYAW15ADW9NM49`;
      expect(tenantOfRun(workflowId)).toBe(owner.tenant);
      for (const other of owners) {
        expect(isRunOf(other, workflowId)).toBe(other === owner);
        expect(isRunOf({ tenant: other.tenant }, workflowId)).toBe(other.tenant === owner.tenant);
      }
    }
  }
});

test('an approval belongs to the owner of its run', () => {
  const run = `@acme/user/${USER}/execute-tool/1/approval/1`;
  expect(isRunOf({ tenant: 'acme', user: USER }, run)).toBe(true);
  expect(isRunOf({ tenant: 'acme', user: OTHER }, run)).toBe(false);
});

test('runs of earlier builds belong to the default tenant', () => {
  expect(tenantOfRun('execute-tool/calculator/1')).toBe('default');
  expect(tenantPrefix('default')).toBe('');
});

test('the conditions for runs of an owner', () => {
  expect(ownerQuery({ tenant: 'default' })).toBe("WorkflowId NOT STARTS_WITH '@'");
  expect(ownerQuery({ tenant: 'acme' })).toBe("WorkflowId STARTS_WITH '@acme/'");
  expect(ownerQuery({ tenant: 'acme', user: USER })).toBe(
    `(WorkflowId STARTS_WITH '@acme/agent-turn/${USER}/' OR WorkflowId STARTS_WITH '@acme/memory-chat-turn/${USER}/'` +
      ` OR WorkflowId STARTS_WITH '@acme/user/${USER}/')`,
  );
});
