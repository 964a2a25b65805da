import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { BUNDLE_FILE } from './bundle';

/** Bundles the compiled workflows once, at build time, so that a worker starts without a bundler. */
async function main(): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(__dirname, '..', 'workflows', 'index.js'),
  });
  writeFileSync(BUNDLE_FILE, code);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
