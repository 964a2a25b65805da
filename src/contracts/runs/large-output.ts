/**
 * The metadata of the result of a tool's activity whose output is large: at which byte the output begins, in decimal digits. The
 * output is the last field, so it ends before the last byte.
 */
export const OUTPUT_AT = 'output-at';
