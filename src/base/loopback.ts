/** Matches the host of an address that only this machine reaches: its name, or its IP address as a URL has it. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
