import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { place } from '../../address';
import { client, dataOf } from '../../api/client';
import { useSend } from '../../api/send';
import { Problem } from '../../parts/problem';

/** The calls that wait for a person, if not only those of tools that say so. */
export const APPROVALS = ['changing', 'all'] as const;

/** The trace ids of turns that were sent from here: the list of runs has them about a second later. */
export const sentTurns = signal<readonly string[]>([]);

/** The field for the next message. */
export function Composer({ user, session }: { readonly user: string; readonly session: string }) {
  const [text, setText] = useState('');
  const { isSending, problem, send } = useSend();
  const query = text.trim();
  const submit = async (): Promise<void> => {
    const { agent, approval } = place.value.params;
    const tools = APPROVALS.find((each) => each === approval);
    const options = { userId: user, sessionId: session, agent, approval: tools && { tools } };
    // The run is followed by its events, so that a turn that fails is no request that fails.
    const started = await dataOf(
      client.value.POST('/api/agent/execute', {
        params: { header: { Prefer: 'respond-async' } },
        body: { query, options: { ...options, onWaiting: 'queue' } },
      }),
    );
    if ('traceId' in started) sentTurns.value = [...sentTurns.value, started.traceId];
    setText('');
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (query !== '') send(submit);
      }}
    >
      <Problem problem={problem} />
      <textarea
        aria-label="Message"
        placeholder="Message"
        title="Enter sends, Shift and Enter begin a line"
        rows={2}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <button type="submit" class="main" disabled={isSending || query === ''}>
        Send
      </button>
    </form>
  );
}
