import { useTools } from '../../api/tools';
import { Problem } from '../../parts/problem';
import { useStarted } from './outcome';
import { RunForm } from './run-form';

/** Runs a tool with what a person writes. */
export function ToolForm({ name }: { name: string }) {
  const { data, problem } = useTools();
  const started = useStarted();
  const tool = data?.find((each) => each.name === name);
  if (tool === undefined) return <Problem problem={problem} />;
  return (
    <article class="run">
      <div class="head">
        <h2>{name}</h2>
        <p class="quiet">{tool.description}</p>
      </div>
      <RunForm
        label={`Arguments of ${name}`}
        schema={tool.inputSchema}
        path="/api/tools/execute"
        toBody={(args) => ({ toolName: name, args })}
        started={started}
      />
    </article>
  );
}
