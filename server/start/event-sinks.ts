import { deviceHealthSink } from '#server/domains/signals/health-level/device-health.ts';
import { connectSinks } from '#server/events/record.ts';
import { outboxSinks } from '#server/publishing/targets/all.ts';

/** Connects the event sinks. Every process that records events calls it first, including tests. */
export const connectEventSinks = (): void => connectSinks([...outboxSinks, deviceHealthSink]);
