import { deviceHealthSink } from '#server/domains/signals/health-level/device-health.ts';
import { connectSinks } from '#server/events/record.ts';
import { outboxSinks } from '#server/publishing/targets/all.ts';

/** Connects the event sinks. Call it first in every process that records events, including tests. */
export const connectEventSinks = (): void => connectSinks([...outboxSinks, deviceHealthSink]);
