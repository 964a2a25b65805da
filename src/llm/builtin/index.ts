export { understand, type Plan } from './plan/understand';
export type { PlannedStep } from './plan/step';
export { createBuiltinProvider } from './provider';
