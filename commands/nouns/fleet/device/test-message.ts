import { bulkAction } from '#commands/kit/bulk-action.ts';
import { p } from '#commands/model/params.ts';
import { toTimestamp } from '#commands/model/time.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';

import { device } from './entity.ts';
import { organizationIdOf } from './item.ts';

const HEX = /^([0-9a-f]{2}\s*)*$/i;

function parseHex(hex: string): Uint8Array<ArrayBuffer> {
  const pairs = hex.replace(/\s/g, '').match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/**
 * Sends a message as if it came from the device. The message is marked as a test, but is otherwise parsed, checked for
 * alarms, and published like any other message.
 */
export const sendTestMessage = bulkAction({
  entity: device,
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
    const messages = items.map(({ modem }) => ({ modemNumber: modem.number, time, content: parseHex(content) }));
    await api(TestingService).pushModemMessages({ organization, messages }, { signal });
  },
});
