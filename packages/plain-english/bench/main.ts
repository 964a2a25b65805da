/** `ablation` measures what each part of the rules is worth; without a name, the scores of all sets are printed. */
async function main(): Promise<void> {
  // Each loads the rules only when it is asked for: the ablation has to be there before them.
  if (process.argv[2] === 'ablation') await import('./ablation.js');
  else await import('./scores.js');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
