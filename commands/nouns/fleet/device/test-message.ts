import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { bulkAction } from '#commands/kit/bulk-action.ts';
import { message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { toTimestamp } from '#commands/model/time.ts';
import { device } from './entity.ts';
import { organizationIdOf } from './item.ts';

const HEX = /^([0-9a-f]{2}\s*)*$/i;

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const pairs = hex.replace(/\s/g, '').match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/**
 * Pushes a message as if the device had sent it: it is flagged as a test, but parsed, alarmed and published like any
 * other.
 */
export const sendTestMessage = bulkAction({
  of: device,
  verb: 'send-test-message',
  requires: 'SEND_TEST_MESSAGES',
  params: {
    content: p.text({
      placeholder: '0141 4E9A 0C2F 00',
      check: (value) => (HEX.test(value.trim()) ? undefined : message('device:validation.hex', { value })),
    }),
    at: p.time({ fallback: 'now', max: 'now' }),
  },
  positional: ['content'],
  notes: () => [message('device:plan.testMessageNote')],
  organization: organizationIdOf,
  call: async ({ api, organization, signal, now, preferences }, items, { content = '', at = 'now' }) => {
    const time = toTimestamp(at, now(), firstDay(preferences));
    const messages = items.map(({ modem }) => ({ modemNumber: modem.number, time, content: bytesOf(content) }));
    await api(TestingService).pushModemMessages({ organization, messages }, { signal });
  },
});
