import { resolve } from 'node:path';
import { Switches, type Switch } from './ablation-switches';
import type { LabelledCase, Outcome } from './ablation-cases';
import { Coverage } from './ablation-coverage';

/** Right and wrong cases more (or fewer) than with everything switched on. */
interface Change {
  right: number;
  wrong: number;
}

interface Loss {
  readonly switched: Switch;
  readonly heldOut: Change;
  readonly others: Change;
  readonly bySet: ReadonlyMap<string, Change>;
}

const PACKAGE = resolve(__dirname, '..', '..');

/**
 * `ablation [switches|coverage] [text]`: what is lost without each function and rule, those alone whose name holds the
 * text; or which blocks no labelled case reaches. Prints counts only.
 */
async function main([part = 'switches', named = '']: readonly string[]): Promise<void> {
  const [sources, compiled] = [resolve(PACKAGE, 'src'), resolve(PACKAGE, 'dist', 'src')];
  const measured = part === 'coverage' ? new Coverage(compiled) : new Switches(sources, compiled);
  const { readLabelledCases } = await import('./ablation-cases.js');
  const cases = readLabelledCases(resolve(PACKAGE, 'test'));
  if (measured instanceof Coverage) measured.print(cases, named);
  else printLosses(measured, cases, named);
}

function printLosses(switches: Switches, cases: readonly LabelledCase[], named: string): void {
  const before: Outcome[] = [];
  const used = cases.map((one) => switches.observe(() => before.push(runCase(one))));
  const total = cases.filter(({ isHeldOut }) => isHeldOut).length;
  console.log(`${cases.length} cases, ${total} of them held out\n`);
  console.log('| without | lines | used by | held out: right | wrong | others: right | wrong | sets |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |');
  for (const switched of switches.all) {
    if (!switched.name.includes(named)) continue;
    const users = cases.flatMap((_one, at) =>
      used[at] && !Switches.isUnused(switched.name, used[at]) ? [at] : [],
    );
    const after = switches.without(switched.name, () => users.map((at) => runCase(cases[at])));
    printLoss(compare(switched, cases, users, before, after), users.length);
  }
}

/** A rule that fails without another one answers nothing. */
function runCase(one: LabelledCase | undefined): Outcome {
  try {
    return one?.run() ?? 'refused';
  } catch {
    return 'refused';
  }
}

function compare(
  switched: Switch,
  cases: readonly LabelledCase[],
  users: readonly number[],
  before: readonly Outcome[],
  after: readonly Outcome[],
): Loss {
  const bySet = new Map<string, Change>();
  const heldOut = { right: 0, wrong: 0 };
  const others = { right: 0, wrong: 0 };
  users.forEach((at, place) => {
    const one = cases[at];
    const [was, is] = [before[at], after[place]];
    if (!one || was === is) return;
    const set = bySet.get(one.set) ?? { right: 0, wrong: 0 };
    bySet.set(one.set, set);
    for (const change of [set, one.isHeldOut ? heldOut : others])
      for (const kind of ['right', 'wrong'] as const)
        change[kind] += (is === kind ? 1 : 0) - (was === kind ? 1 : 0);
  });
  return { switched, heldOut, others, bySet };
}

function printLoss({ switched: { name, lines }, heldOut, others, bySet }: Loss, users: number): void {
  const sets = [...bySet].map(([set, { right, wrong }]) => `${set} ${right}/${wrong}`).join(', ');
  console.log(
    `| ${name} | ${lines} | ${users} | ${heldOut.right} | ${heldOut.wrong} | ${others.right} | ${others.wrong} | ${sets} |`,
  );
}

main(process.argv.slice(3)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
