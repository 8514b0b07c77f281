import { outboxSinks } from '#server/publishing/targets/all.ts';
import { deviceHealth } from '#server/domains/signals/health-level/device-health.ts';
import { connectSinks } from '#server/events/record.ts';

/** Connects whoever acts on events. Every process that records events calls it first, as do tests. */
export const connectEventSinks = (): void => connectSinks([...outboxSinks, deviceHealth]);
