import fc from 'fast-check';
import {
  applyCalibration,
  cosineAt,
  fitCalibration,
  measureCalibration,
} from '../../../src/embeddings/calibration';

const around = (centre: number, spread: number) =>
  Array.from({ length: 30 }, (_, at) => centre + spread * (at / 15 - 1));

test.each([
  ['overlapping groups', around(0.45, 0.25), around(0.1, 0.25)],
  ['groups far apart', around(0.9, 0.02), around(-0.5, 0.02)],
  ['a model whose cosines all lie close together', around(0.86, 0.03), around(0.76, 0.03)],
])('0.7 and more is the related side: %s', (_, related, unrelated) => {
  const fitted = fitCalibration(related, unrelated)!;
  const share = (cosines: number[], passes: (relevance: number) => boolean) =>
    cosines.filter((cosine) => passes(applyCalibration(fitted, cosine))).length / cosines.length;
  expect(share(related, (relevance) => relevance >= 0.7)).toBeGreaterThan(0.7);
  expect(share(unrelated, (relevance) => relevance < 0.3)).toBeGreaterThan(0.7);
});

test('groups that the cosine does not tell apart, or tells the wrong way round, have no calibration', () => {
  expect(fitCalibration(around(0.1, 0.1), around(0.5, 0.1))).toBeUndefined();
  expect(fitCalibration(around(0.5, 0), around(0.5, 0))).toBeUndefined();
});

test('any cosines give a curve that rises from 0 to 1, or none', () => {
  const cosines = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(cosines, cosines, (related, unrelated) => {
      const fitted = fitCalibration(related, unrelated);
      if (fitted === undefined) return;
      const values = [-1, -0.5, 0, 0.5, 1].map((cosine) => applyCalibration(fitted, cosine));
      expect([...values].sort((a, b) => a - b)).toEqual(values);
      expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
    }),
  );
});

test('a cosine and its relevance lead to each other', () => {
  const calibration = { slope: 12, intercept: -4 };
  expect(applyCalibration(calibration, cosineAt(calibration, 0.7))).toBeCloseTo(0.7, 10);
});

test('each text of the built-in pairs is embedded once', async () => {
  const asked: string[] = [];
  await measureCalibration(async (texts) => {
    asked.push(...texts);
    return texts.map((text) => Float32Array.of(Math.cos(text.length), Math.sin(text.length)));
  });
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked.length).toBeGreaterThanOrEqual(60);
});
