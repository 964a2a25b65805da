import type { FactsReport } from '.';

export function printFacts({ halves, turn, model }: FactsReport): void {
  for (const { half, scores, without, times } of halves) {
    console.log(
      `\n| ${half}, lives | right | stale | never said | refused | ms a turn | without facts | ratio |`,
    );
    console.log(`| --- |${' ---: |'.repeat(7)}`);
    for (const { kind, lives, right, stale, never, refused } of scores) {
      const { on = NaN, off = NaN } = times.find((one) => one.kind === kind) ?? {};
      const figures = [on.toFixed(1), off.toFixed(1), (on / off).toFixed(2)];
      console.log(`| ${kind}, ${lives} | ${[right, stale, never, refused, ...figures].join(' | ')} |`);
    }
    if (without === undefined) continue;
    const { right, stale, never, refused } = without;
    console.log(`\nWithout facts: ${right} right, ${stale} stale, ${never} never said, ${refused} refused`);
  }
  console.log(`\nA turn over HTTP: p50 ${turn.p50.toFixed(1)} ms, p95 ${turn.p95.toFixed(1)} ms`);
  const { lives, messages, calls, on, off, settledMs, promptTokens, completionTokens, claims, outcomes } =
    model;
  console.log(`\nWith a model, ${lives} lives, ${messages} messages of users, ${calls} calls for facts:`);
  console.log(
    `- ms a turn: ${on.toFixed(1)}, with the rules alone ${off.toFixed(1)}, ratio ${(on / off).toFixed(2)}`,
  );
  console.log(`- from the last answer to the last fact: ${(settledMs / 1_000).toFixed(1)} s`);
  console.log(
    `- estimated tokens a message: ${promptTokens.toFixed(0)} prompt, ${completionTokens.toFixed(0)} answer`,
  );
  console.log(`- ${claims} facts of the stand-in: ${outcomes.map(([what, n]) => `${n} ${what}`).join(', ')}`);
}
