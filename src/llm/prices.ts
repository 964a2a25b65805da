import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ModelPrice, RunPrices } from '../contracts/runs/budgets';
import { HoldfastError, messageOf } from '../base/errors';
import { parseJson } from '../base/json/parse';

const price = z.number().min(0);

/** A table of prices, US dollars a million tokens, as a file of them has it. */
export const priceTableSchema: z.ZodType<RunPrices> = z.strictObject({
  version: z.string().min(1).max(100),
  date: z.iso.date(),
  models: z.record(
    z.string(),
    z.strictObject({ input: price, cachedInput: price.optional(), output: price }),
  ),
});

/** The list prices of models of OpenAI, without discounts for batches and the like. */
export const LIST_PRICES: RunPrices = {
  version: '1',
  date: '2026-11-24',
  models: {
    'gpt-4o': { input: 2.5, cachedInput: 1.25, output: 10 },
    // The first version has kept its price.
    'gpt-4o-2024-05-13': { input: 5, output: 15 },
    'gpt-4o-mini': { input: 0.15, cachedInput: 0.075, output: 0.6 },
    'gpt-4.1': { input: 2, cachedInput: 0.5, output: 8 },
    'gpt-4.1-mini': { input: 0.4, cachedInput: 0.1, output: 1.6 },
    'gpt-4.1-nano': { input: 0.1, cachedInput: 0.025, output: 0.4 },
    'gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
    'gpt-5-mini': { input: 0.25, cachedInput: 0.025, output: 2 },
    'gpt-5-nano': { input: 0.05, cachedInput: 0.005, output: 0.4 },
    o3: { input: 2, cachedInput: 0.5, output: 8 },
    'o3-mini': { input: 1.1, cachedInput: 0.55, output: 4.4 },
    'o4-mini': { input: 1.1, cachedInput: 0.275, output: 4.4 },
  },
};

/** The day at the end of the name of a fixed version of a model, as in `gpt-4o-2024-08-06`. */
const VERSION = /-\d{4}-\d{2}-\d{2}$/;

/** Finds the price of a model; that of a fixed version is that of its model, unless the table names it. Pure. */
export function findPrice({ models }: RunPrices, model: string): ModelPrice | undefined {
  const name = Object.hasOwn(models, model) ? model : model.replace(VERSION, '');
  return Object.hasOwn(models, name) ? models[name] : undefined;
}

/**
 * Reads the table that an operator keeps, or the built-in one.
 * @param path a JSON file in the form of `priceTableSchema`
 * @throws HoldfastError `CONFIGURATION` for a file that cannot be read or has another form
 */
export function readPrices(path: string | undefined): RunPrices {
  if (path === undefined) return LIST_PRICES;
  try {
    return priceTableSchema.parse(parseJson(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new HoldfastError('CONFIGURATION', `MODEL_PRICES_FILE ${path} cannot be used: ${reason}`, {
      cause: error,
    });
  }
}
