import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { HoldfastError } from '../../base/errors';
import { HUB_NAME } from '../../contracts/http/embedding-models';

/** The source of a model: the hub or a folder. */
export interface ModelSource {
  /** The model's name on the hub, or the name of its folder. */
  readonly name: string;
  /** The folder of the model's files; for a model of the hub, the folder of its download. */
  readonly folder: string;
  readonly isOnHub: boolean;
}

/** The files of weights, in the order of preference. Quantised ones have a quarter of the size and are nearly as good. */
export const WEIGHT_FILES = ['onnx/model_quantized.onnx', 'onnx/model.onnx'] as const;
/** The files that a model needs in addition to its weights. */
export const SMALL_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const;

const PATH_START = /^\.{0,2}[/\\]/;

/**
 * Parses the name of a model: a folder that exists or is written as a path, otherwise a name on the hub.
 * @param downloads the folder of downloaded models
 * @throws HoldfastError `CONFIGURATION` if it is neither
 */
export function parseModelSource(model: string, downloads: string): ModelSource {
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

/** Finds the preferred file of weights in a folder; undefined if it has none. */
export function weightsIn(folder: string): (typeof WEIGHT_FILES)[number] | undefined {
  return WEIGHT_FILES.find((file) => existsSync(join(folder, file)));
}

/** Lists the files of a model that its folder does not have yet. */
export function missingFiles(folder: string): string[] {
  const small = SMALL_FILES.filter((file) => !existsSync(join(folder, file)));
  return weightsIn(folder) === undefined ? [...small, WEIGHT_FILES[0]] : small;
}

/** Returns the file of weights in a model's folder. Throws an error with the reason if the folder is not a complete model. */
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
