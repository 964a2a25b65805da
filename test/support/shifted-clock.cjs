// Preloaded by tests (NODE_OPTIONS=--require): the time of day of this process is CLOCK_SHIFT_MS ahead, as on a machine whose
// clock is wrong. Timers and the monotonic clock stay as they are.
const shift = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [Date.now()] : args));
  }

  static now() {
    return RealDate.now() + shift;
  }
};
