import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RunPrices } from '../contracts/runs/budgets';
import type { ModelChoice } from '../contracts/runs/workflows';
import { HoldfastError, messageOf } from '../base/errors';
import { parseJson } from '../base/json/parse';
import type { Config } from '../settings/config';
import { findKnownModel, KNOWN_MODELS_VERSION, type ProviderAddresses } from './known-models';

const price = z.number().min(0);

/** A table of prices, US dollars a million tokens, as a file of them has it. */
const priceFileSchema = z.strictObject({
  version: z.string().min(1).max(100),
  date: z.iso.date(),
  models: z.record(
    z.string(),
    z.strictObject({ input: price, cachedInput: price.optional(), output: price }),
  ),
});

/** The prices of models. */
export interface PriceTable {
  /** The prices that a run of this model keeps: of this model alone, and of none if it has no price. */
  of(choice: ModelChoice): RunPrices;
}

/** The day at the end of the name of a fixed version of a model, as in `gpt-4o-2024-08-06`. */
const VERSION = /-\d{4}-\d{2}-\d{2}$/;

/**
 * Creates the table of prices: those of the operator's file, and for models that it does not have the list prices of public
 * models. A fixed version of a model has the price of its model, unless the file names it.
 * @throws HoldfastError `CONFIGURATION` for a file that cannot be read or has another form
 */
export function createPriceTable(
  settings: Pick<Config, 'MODEL_PRICES_FILE'> & ProviderAddresses,
): PriceTable {
  const file = readPriceFile(settings.MODEL_PRICES_FILE);
  return {
    of(choice) {
      const { provider, model } = choice;
      const names = provider === 'builtin' ? [] : [model, model.replace(VERSION, '')];
      const named = names.find((name) => file !== undefined && Object.hasOwn(file.models, name));
      const ownPrice = named === undefined ? undefined : file?.models[named];
      if (file !== undefined && ownPrice !== undefined)
        return { version: file.version, date: file.date, models: { [model]: ownPrice } };
      const known = findKnownModel(choice, settings);
      return {
        version: KNOWN_MODELS_VERSION,
        models: known === undefined ? {} : { [model]: known.price },
      };
    },
  };
}

function readPriceFile(path: string | undefined): z.output<typeof priceFileSchema> | undefined {
  if (path === undefined) return undefined;
  try {
    return priceFileSchema.parse(parseJson(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new HoldfastError('CONFIGURATION', `MODEL_PRICES_FILE ${path} cannot be used: ${reason}`, {
      cause: error,
    });
  }
}
