/** The names in the contract's JSON samples. The contract's prose uses other names. */
export const HEALTHY = 'Healthy';
export const BUILD_UP = 'Build up';
export const ALARM = 'Alarm';

/** An organization's initial levels, mildest first (contract: HealthService). */
export const defaultHealthLevels = [
  { level: HEALTHY, severity: 1, catchAll: false, colorData: { text: 'green', fill: 'palegreen' } },
  { level: BUILD_UP, severity: 2, catchAll: false, colorData: { text: 'darkorange', fill: 'moccasin' } },
  // The most severe level is the default catch-all.
  { level: ALARM, severity: 3, catchAll: true, colorData: { text: 'red', fill: 'mistyrose' } },
] as const;
