import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The folder of a real model inside the folder that HOLDFAST_TEST_MODELS names; absent without this setting. */
export function realModel(name: string): string | undefined {
  const models = process.env['HOLDFAST_TEST_MODELS'];
  const folder = models === undefined ? undefined : resolve(models, name);
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}
