import { webhookDeliveries } from './delivery/fan-out.ts';
import { deviceHealth } from './events/device-health.ts';
import { connectSinks } from './events/record.ts';
import { emailNotifications } from './mail/notification/pending.ts';

/** Connects whoever acts on events. Every process that records events calls it first, as do tests. */
export const connectEventSinks = (): void => connectSinks([emailNotifications, webhookDeliveries, deviceHealth]);
