import { TestingService } from '#proto/hiber/testing_pb';
import { inBatches } from '../core/batch.ts';
import { command } from '../core/command.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import { firstDay } from '../core/preferences.ts';
import { toTimestamp } from '../core/time.ts';
import { device } from './entity.ts';
import { organizationIdOf } from './item.ts';

const HEX = /^([0-9a-f]{2}\s*)*$/i;

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const pairs = hex.replace(/\s/g, '').match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/** Pushes a message as if the device had sent it: it is flagged as a test, but parsed, alarmed and published like any other. */
export const sendTestMessage = command({
  id: 'device.send-test-message',
  on: () => device,
  requires: 'SEND_TEST_MESSAGES',
  effect: 'write',
  params: {
    devices: p.many(() => device),
    content: p.text({
      placeholder: '0141 4E9A 0C2F 00',
      check: (value) => (HEX.test(value.trim()) ? undefined : message('device:validation.hex', { value })),
    }),
    at: p.time({ fallback: 'now' }),
  },
  positional: ['devices', 'content'],
  plan: async (_context, { devices }) => ({
    summary: message('device:plan.testMessage', { items: message('device:count', { count: devices.items.length }) }),
    count: devices.items.length,
    changes: [],
    notes: [message('device:plan.testMessageNote')],
    reversible: false,
  }),
  run: async (context, { devices, content = '', at = 'now' }) => {
    const time = toTimestamp(at, context.now(), firstDay(context.preferences));
    const results = await inBatches(context, {
      items: devices.items,
      id: device.id,
      label: device.label,
      apart: organizationIdOf,
      each: async (chunk) => {
        const messages = chunk.map(({ modem }) => ({ modemNumber: modem.number, time, content: bytesOf(content) }));
        const request = { organization: organizationIdOf(chunk[0]!), messages };
        await context.api(TestingService).pushModemMessages(request, { signal: context.signal });
      },
    });
    return {
      changed: ['device'],
      results,
      said: message('device:said.tested', { count: succeeded({ results }).length }),
    };
  },
});
