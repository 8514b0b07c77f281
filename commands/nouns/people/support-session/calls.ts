import type { Column } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { toMs, textOf } from '#commands/model/wire.ts';
import { message, type Message } from '#commands/text/message.ts';
import {
  SupportService,
  type ListCallsResponse_Call as Call,
} from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';

import type { SupportSessionItem } from './item.ts';

const MAX_ROWS = 100;

const outcomeText = ({ changes, outcome }: Call): Message => {
  if (outcome && outcome !== 'ok')
    return message('support-session:call.outcome', { outcome: outcome.replaceAll('_', ' ') });
  return message(changes ? 'support-session:call.change' : 'support-session:call.read');
};

const columns: readonly Column<Call>[] = [
  { id: 'time', kind: 'time', width: 150, value: ({ time }) => textOf(time), time: ({ time }) => toMs(time) },
  { id: 'rpc', kind: 'mono', width: 120, grow: 1, value: ({ rpc }) => rpc },
  { id: 'outcome', kind: 'status', width: 76, value: outcomeText },
];

/** The calls made during a support session, in order. */
export const calls: DetailTab<SupportSessionItem> = {
  id: 'calls',
  columns,
  limit: MAX_ROWS,
  load: async (context, { session: { organization, id } }) => {
    const request = { organization, supportSessionId: id, pagination: { size: MAX_ROWS } };
    return (await context.api(SupportService).listCalls(request, { signal: context.signal })).calls;
  },
  key: (row) => `${(row as Call).id}`,
  detail: (row) => {
    const call = row as Call;
    return [
      { label: message('support-session:call.rpc'), text: call.rpc, mono: true },
      { label: message('support-session:call.time'), text: textOf(call.time) ?? '', time: toMs(call.time) },
      { label: message('support-session:call.answer'), text: call.outcome.replaceAll('_', ' ') },
    ].filter(({ text }) => text !== '');
  },
};
