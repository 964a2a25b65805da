/**
 * Waits until the process has room for a value that is read into memory as a whole. The room is given back when the answer that
 * needs it is sent.
 * @throws HoldfastError `SERVICE_BUSY` if there is no room in time
 */
export type AdmitBytes = (bytes: number) => Promise<void>;
