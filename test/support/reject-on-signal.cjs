/** Loaded into a process of the service: at SIGUSR2 the process has a rejected promise that no code takes. */
process.on('SIGUSR2', () => void Promise.reject(new Error('forgotten')));
