/** Whether this run is `npm run test:thorough`, which repeats what `npm run test:all` samples, and takes hours. */
const isThorough = process.env['HOLDFAST_TEST_THOROUGH'] === 'yes';

/** A count or a size: that of `npm run test:all`, and that of `npm run test:thorough`. */
export const pickCount = (usual: number, thorough: number): number => (isThorough ? thorough : usual);

/** `test` in `npm run test:thorough`; skipped in `npm run test:all`, where a smaller case checks the same. */
export const testThoroughly = isThorough ? test : test.skip;
