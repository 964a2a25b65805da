import { MAX_NESTING } from '../base/json/nesting';
import { limitBody } from '../egress/checked-fetch';
import { fitJson } from '../egress/json-bodies';

/** The sets of large issuers have some tens of kilobytes. */
const MAX_KEY_SET_BYTES = 262_144;

/** Fetches a key set. Its body fails where it is too long or nested too deeply, because jose copies the set recursively. */
export async function fetchKeySet(url: string, options: RequestInit) {
  const unfit = (problem: string) => (): Error => new Error(`the key set ${problem}`);
  const response = limitBody(
    // The types of undici and of Node describe the same classes.
    (await fetch(url, options)) as never,
    MAX_KEY_SET_BYTES,
    unfit(`has more than ${MAX_KEY_SET_BYTES} bytes`),
  );
  return fitJson(response, unfit(`is nested deeper than ${MAX_NESTING} levels`));
}
