import { readFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LabelledCase } from './ablation-cases';

/** How often each character of a compiled file was run: 0 to `MAX_RUNS`, or `OUTSIDE` where it is in no function. */
type Counts = Uint8Array;

const MAX_RUNS = 2;
const OUTSIDE = 255;

/** Counts by V8's precise coverage which code the labelled cases run. It has to exist before the package is loaded. */
export class Coverage {
  readonly #session = new Session();
  readonly #compiled: string;

  constructor(compiled: string) {
    this.#compiled = compiled;
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /**
   * Runs the cases, and prints the code that they never run, or only once, so that one case alone needs it; of files whose
   * path holds the text.
   */
  print(cases: readonly LabelledCase[], named: string): void {
    const files = new Map<string, Counts>();
    for (const [file, functions] of this.#take()) files.set(file, countsOf(file, functions));
    for (const one of cases) one.run();
    for (const [file, functions] of this.#take()) addRuns(files.get(file), functions);
    this.#session.disconnect();
    console.log('| lines | runs | code |\n| --- | ---: | --- |');
    for (const [file, counts] of [...files].sort()) {
      if (relative(this.#compiled, file).includes(named)) this.#printFile(file, counts);
    }
  }

  #printFile(file: string, counts: Counts): void {
    const text = readFileSync(file, 'utf8');
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
    const name = relative(this.#compiled, file).replace(/\.js$/, '.ts');
    for (let start = 0; start < counts.length;) {
      const count = counts[start] ?? OUTSIDE;
      let end = start + 1;
      while (counts[end] === count) end++;
      const code = text.slice(start, end);
      if (count < MAX_RUNS && /\w/.test(code)) {
        const [first, last] = [start + code.search(/\S/), start + code.trimEnd().length - 1];
        const lines = [first, last].map((offset) => originalLine(map, text, offset));
        // What the compiler added has no line.
        if (lines[0] !== 0)
          console.log(
            `| ${name}:${lines.join('-')} | ${count} | ${code.trim().replace(/\s+/g, ' ').slice(0, 80)} |`,
          );
      }
      start = end;
    }
  }

  /** What ran since it was asked for last, by file of the package. */
  #take(): readonly (readonly [file: string, functions: readonly Profiler.FunctionCoverage[]])[] {
    let result: readonly Profiler.ScriptCoverage[] = [];
    // The session of its own thread answers before it returns.
    this.#session.post('Profiler.takePreciseCoverage', (_error, taken) => {
      result = taken.result;
    });
    return result.flatMap(({ url, functions }) => {
      const file = url.startsWith('file:') ? fileURLToPath(url) : url;
      return file.startsWith(this.#compiled) ? [[file, functions] as const] : [];
    });
  }
}

/** Nothing is counted yet, and what runs while the module is loaded will not be. */
function countsOf(file: string, functions: readonly Profiler.FunctionCoverage[]): Counts {
  const counts = new Uint8Array(readFileSync(file, 'utf8').length).fill(OUTSIDE);
  for (const { functionName, ranges } of functions) {
    const [whole] = ranges;
    if (whole && (functionName !== '' || whole.startOffset > 0))
      counts.fill(whole.count > 0 ? OUTSIDE : 0, whole.startOffset, whole.endOffset);
  }
  return counts;
}

/** Inner ranges come after those that they are in, and say more exactly what ran. */
function addRuns(counts: Counts | undefined, functions: readonly Profiler.FunctionCoverage[]): void {
  if (!counts) return;
  const runs = new Uint8Array(counts.length);
  for (const { ranges } of functions)
    for (const { count, startOffset, endOffset } of ranges)
      runs.fill(Math.min(count, MAX_RUNS), startOffset, endOffset);
  for (const [at, count] of counts.entries()) if (count !== OUTSIDE) counts[at] = runs[at] ?? 0;
}

function originalLine(map: SourceMap, text: string, offset: number): number {
  const before = text.slice(0, offset);
  const entry = map.findEntry(before.split('\n').length - 1, offset - before.lastIndexOf('\n') - 1);
  return 'originalLine' in entry ? entry.originalLine + 1 : 0;
}
