export interface BareActivities {
  add(a: number, b: number): Promise<number>;
}

export const bareActivities: BareActivities = {
  add: (a, b) => Promise.resolve(a + b),
};
