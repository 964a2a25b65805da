import { z } from 'zod';

/** What several settings are read as. Settings arrive as text. */
export const port = z.coerce.number().int().min(0).max(65_535);
export const milliseconds = whole;
export const count = whole;
export const bytes = whole;
/** `localhost:11434` would be an address of the scheme `localhost`. */
export const httpAddress = z.url({
  protocol: /^https?$/,
  message: 'it has to be like http://host or https://host',
});
export const dollars = z.coerce.number().positive().max(1_000_000);
export const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');

function whole(least: number, most: number) {
  return z.coerce.number().int().min(least).max(most);
}
