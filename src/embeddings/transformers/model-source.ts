import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { HoldfastError } from '../../base/errors';
import { HUB_NAME } from '../../contracts/http/embedding-models';

/** Where a model comes from. */
export interface ModelSource {
  /** The hub's name, or the name of the folder. */
  readonly name: string;
  /** Folder of the model's files; for a model of the hub the one it is downloaded to. */
  readonly folder: string;
  readonly isOnHub: boolean;
}

/** The weights, first choice first. Quantised ones are a quarter of the size and nearly as good. */
export const WEIGHT_FILES = ['onnx/model_quantized.onnx', 'onnx/model.onnx'] as const;
/** What a model needs beside its weights. */
export const SMALL_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const;

const PATH_START = /^\.{0,2}[/\\]/;

/**
 * Reads the name of a model: a folder that exists or is written as a path, else a name of the hub.
 * @param downloads folder that models of the hub are kept in
 * @throws HoldfastError `CONFIGURATION` for what is neither
 */
export function modelSource(model: string, downloads: string): ModelSource {
  const folder = resolve(model);
  if (isAbsolute(model) || PATH_START.test(model) || isFolder(folder)) {
    return { name: basename(folder), folder, isOnHub: false };
  }
  if (HUB_NAME.test(model)) return { name: model, folder: join(downloads, model), isOnHub: true };
  throw new HoldfastError(
    'CONFIGURATION',
    `The setting MEMORY_EMBEDDING_MODEL ("${model}") is neither a folder nor a name of the hub such as Xenova/all-mpnet-base-v2`,
  );
}

/** The weights in the folder, if there are any. */
export function weightsIn(folder: string): (typeof WEIGHT_FILES)[number] | undefined {
  return WEIGHT_FILES.find((file) => existsSync(join(folder, file)));
}

/** The files that a model still lacks. */
export function missingFiles(folder: string): string[] {
  const small = SMALL_FILES.filter((file) => !existsSync(join(folder, file)));
  return weightsIn(folder) === undefined ? [...small, WEIGHT_FILES[0]] : small;
}

/** Throws for a folder that cannot be a model, with the reason. */
export function checkFolder(folder: string): (typeof WEIGHT_FILES)[number] {
  if (!isFolder(folder)) throw new Error(`there is no folder ${folder}`);
  const missing = missingFiles(folder);
  const weights = weightsIn(folder);
  if (weights === undefined || missing.length > 0) throw new Error(`${folder} lacks ${missing.join(', ')}`);
  for (const file of [...SMALL_FILES, weights]) accessSync(join(folder, file), constants.R_OK);
  return weights;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
