/** The levels that an organization starts with, mildest first (contract: HealthService; names as in delivered JSON). */
export const healthy = 'Healthy';
export const buildUp = 'Build up';
export const alarm = 'Alarm';

export const defaultHealthLevels = [
  { level: healthy, severity: 1, catchAll: false, colorData: { text: 'green', fill: 'palegreen' } },
  { level: buildUp, severity: 2, catchAll: false, colorData: { text: 'darkorange', fill: 'moccasin' } },
  // The most severe catches all, by default.
  { level: alarm, severity: 3, catchAll: true, colorData: { text: 'red', fill: 'mistyrose' } },
] as const;
