import { CONFLICT, untilNoConflict } from '../../../src/stores/compare-and-set';

describe('untilNoConflict', () => {
  it('returns what the first attempt without a conflict returns, whatever it is', async () => {
    for (const result of [undefined, false, 0, 'done']) {
      let attempts = 0;
      const attempt = (): Promise<typeof result | typeof CONFLICT> =>
        Promise.resolve((attempts += 1) < 3 ? CONFLICT : result);
      expect(await untilNoConflict('it', attempt)).toBe(result);
      expect(attempts).toBe(3);
    }
  });

  it('passes an error on without another attempt', async () => {
    const attempt = jest.fn(() => Promise.reject(new Error('broken')));
    await expect(untilNoConflict('it', attempt)).rejects.toThrow('broken');
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('gives up some time, with an error that says what was not written', async () => {
    const attempt = jest.fn(() => Promise.resolve(CONFLICT));
    await expect(untilNoConflict('the tool registry', attempt)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: true,
      message: expect.stringContaining('the tool registry'),
    });
    expect(attempt).toHaveBeenCalledTimes(200);
  });
});
