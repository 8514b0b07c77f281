import type { KindValues } from '#commands/model/arg-value.ts';

type Range = KindValues['range'];

/** The range of a chart whose address has none. */
export const DEFAULT_RANGE: Range = { start: '-7d', end: 'now' };

/** The presets of a chart's range (spec 2) by id. Any other number of days or hours can be typed. */
export const PRESETS: Readonly<Record<string, Range>> = {
  today: { start: 'today', end: 'today' },
  yesterday: { start: 'yesterday', end: 'yesterday' },
  'this-week': { start: 'this week', end: 'this week' },
  'this-month': { start: 'this month', end: 'this month' },
  'last-month': { start: 'last month', end: 'last month' },
  'last-24h': { start: '-1d', end: 'now' },
  'last-7d': DEFAULT_RANGE,
  'last-30d': { start: '-30d', end: 'now' },
};
