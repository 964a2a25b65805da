import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { endProcess } from '../end-process';
import { unwinding } from '../unwinding';

/** A process that answers one message at a time, such as the attacker. */
export interface Participant<Message, Reply> {
  readonly pid: number;
  /** @throws Error if the process fails at the message, or has ended */
  ask(message: Message): Promise<Reply>;
  stop(): Promise<void>;
}

type Outcome<Reply> = { readonly reply: Reply } | { readonly error: string };

/**
 * Starts a compiled script of this folder.
 * @param build the folder of the compiled service
 */
export function startParticipant<Message extends object, Reply>(
  script: string,
  build: string,
): Participant<Message, Reply> {
  const child = fork(join(build, 'bench', 'neighbour', `${script}.js`), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => ({ error: `the process ended with ${String(code)}` }));
  return {
    pid: child.pid ?? -1,
    async ask(message) {
      const answered = once(child, 'message').then(([outcome]) => outcome as Outcome<Reply>);
      child.send(message);
      const outcome = await Promise.race([answered, ended]);
      if ('error' in outcome) throw new Error(`${script}: ${outcome.error}`);
      return outcome.reply;
    },
    stop: unwinding.add(() => endProcess(child)),
  };
}

/** Answers the messages of the process that started this one, and ends with it. */
export function answerMessages(answer: (message: never) => Promise<unknown>): void {
  process.on('message', (message) => {
    answer(message as never).then(
      (reply) => process.send?.({ reply }),
      (error: unknown) =>
        process.send?.({ error: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
  });
  process.once('disconnect', () => process.kill(process.pid));
}
