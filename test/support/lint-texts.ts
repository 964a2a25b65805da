import { join } from 'node:path';
import { ROOT } from './fixture-project';
import { runModule } from './run-module';

export interface LintProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Lints TypeScript by one rule alone.
 * @param rule the name of its file in `scripts/lint-rules/`
 * @returns the problems by text
 */
export async function lintTexts(
  rule: string,
  cases: readonly { readonly text: string; readonly options?: object }[],
): Promise<Map<string, LintProblem[]>> {
  const load = (path: string): string =>
    `(await import(${JSON.stringify(join(ROOT, 'node_modules', path))})).default`;
  const code = `
    const eslint = ${load('eslint/lib/api.js')};
    const parser = ${load('@typescript-eslint/parser/dist/index.js')};
    const config = {
      plugins: { holdfast: { rules: { rule: Object.values(scripts)[0] } } },
      languageOptions: { parser },
    };
    return ${JSON.stringify(cases)}.map(({ text, options }) => [
      text,
      new eslint.Linter().verify(text, [
        { ...config, rules: { 'holdfast/rule': options === undefined ? 'error' : ['error', options] } },
      ]),
    ]);`;
  return new Map((await runModule([`lint-rules/${rule}.mjs`], code).result) as [string, LintProblem[]][]);
}
