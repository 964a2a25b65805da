/**
 * The types by which a checkout without `packages/plain-english` compiles. A module that is declared by a pattern counts only
 * if the compiler finds no file for its name, so an installed package is checked by its own types.
 */
declare module '@holdfast/*' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- only this form may name a file of ours here
  const rules: import('./create-rules').RulesPackage & Readonly<Record<string, unknown>>;
  export = rules;
}
