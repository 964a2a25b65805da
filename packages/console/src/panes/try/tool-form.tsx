import { useRead } from '../../api/ask';
import { Detail } from '../../parts/detail';
import { Problem } from '../../parts/problem';
import { useStarted } from './outcome';
import { RunForm } from './run-form';

/** Runs a tool with what a person writes. */
export function ToolForm({ name }: { name: string }) {
  const { data, problem } = useRead('/api/tools', {});
  const started = useStarted();
  const tool = data?.find((each) => each.name === name);
  if (tool === undefined) return <Problem problem={problem} />;
  return (
    <Detail title={name} about={tool.description}>
      <RunForm
        label={`Arguments of ${name}`}
        schema={tool.inputSchema}
        path="/api/tools/execute"
        toBody={(args) => ({ toolName: name, args })}
        started={started}
      />
    </Detail>
  );
}
