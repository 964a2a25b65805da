import type { Approval } from '../../src/contracts/http/approvals';
import { approvalLink } from '../approvals/link-route';
import type { OpenAiContext, OpenAiPorts } from './ports';

/** Says what a run waits for, and by which link a person answers. */
export function describeWaiting(
  approvals: readonly Approval[],
  { links, publicUrl }: Pick<OpenAiPorts, 'links' | 'publicUrl'>,
  { origin, redactor }: Pick<OpenAiContext, 'origin' | 'redactor'>,
): string {
  return redactor
    .value(approvals)
    .map((approval) => {
      const { kind, toolName, message, args, deadline } = approval;
      const what = kind === 'budget' ? 'more of its budget' : `the call of ${toolName ?? 'a model'}`;
      const details = message ?? JSON.stringify(args);
      const { url } = approvalLink({ links, publicUrl }, approval, { origin });
      return `This waits for an approval of ${what}: ${details}. Answer it until ${deadline}: ${url}`;
    })
    .join('\n\n');
}
